import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AuditReply } from '../../../../contract/schemes/audit.ts';
import { isLacking } from '../../../../domain/schemes/audit.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useTask } from '../../../forms/use-task.ts';
import { call } from '../../../lib/call.ts';
import { useCanWrite } from '../../../lib/session.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { NumberField, SelectField, TextField } from '../../../ui/fields/input-fields.tsx';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { invalidateAudit } from './audit-queries.ts';

type OutsideCredit = AuditReply['outside_credits'][number];

interface OutsideCreditsProps {
  studentId: string;
  audit: AuditReply;
}

/** Courses that were passed elsewhere, with the rows that they fill. */
export function OutsideCredits({ studentId, audit }: OutsideCreditsProps) {
  const canWrite = useCanWrite();
  const [edited, setEdited] = useState<OutsideCredit | 'new'>();
  const [deleted, setDeleted] = useState<OutsideCredit>();
  const { outside_credits, rows } = audit;
  const titleOf = (key: string) => rows.find((row) => row.key.toLowerCase() === key.toLowerCase())?.title;
  const columns: readonly Column<OutsideCredit>[] = [
    {
      head: 'Course',
      isRowHead: true,
      className: 'strong wrap-anywhere max-md:col-start-1',
      cell: ({ title, institution }) => (
        <>
          {title} <span className="block font-normal text-fg-2 text-label">{institution}</span>
        </>
      ),
    },
    { head: 'Credits', isNumber: true, className: 'max-md:col-start-2', cell: ({ credits }) => credits },
    {
      head: 'Grade',
      className: 'wrap-anywhere max-md:col-start-1',
      cell: ({ grade }) => grade ?? <span className="text-fg-3">--</span>,
    },
    {
      head: 'Fills',
      className: 'wrap-anywhere max-md:col-start-1',
      cell: ({ row, unused }) =>
        row === null ? (
          <span className="text-fg-3">No row</span>
        ) : unused ? (
          <Tag tone="warn">{row} is not in the scheme, so it waits</Tag>
        ) : (
          `${row}, ${titleOf(row)}`
        ),
    },
    ...(canWrite
      ? [
          {
            head: 'Change',
            isHeadHidden: true,
            columnClass: 'screen-only md:w-24',
            className: 'max-md:col-start-2 max-md:row-start-2',
            cell: (credit: OutsideCredit) => (
              <span className="flex justify-end">
                <IconButton label={`Change ${credit.title}`} onClick={() => setEdited(credit)}>
                  <Pencil />
                </IconButton>
                <IconButton label={`Delete ${credit.title}`} onClick={() => setDeleted(credit)}>
                  <Trash2 />
                </IconButton>
              </span>
            ),
          } as const,
        ]
      : []),
  ];
  return (
    <section aria-labelledby="outside-heading" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="outside-heading">Credits from elsewhere</h2>
        {canWrite && (
          <Button onClick={() => setEdited('new')}>
            <Plus />
            Add credits
          </Button>
        )}
      </div>
      {outside_credits.length === 0 ? (
        <p className="text-fg-2">None have been entered.</p>
      ) : (
        <>
          <TableContainer>
            <Table
              label={{ id: 'outside-heading' }}
              columns={columns}
              rows={outside_credits}
              rowKey={({ outside_id }) => outside_id}
              hasCards
            />
          </TableContainer>
          <p className="mt-2.5 text-fg-3 text-label">
            They are earned without grade points, so the CGPA stays that of the credits taken here. They have
            a section of their own on the transcript.
          </p>
        </>
      )}
      {edited !== undefined && (
        <OutsideDialog
          studentId={studentId}
          audit={audit}
          credit={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <DeleteOutside studentId={studentId} credit={deleted} onClose={() => setDeleted(undefined)} />
    </section>
  );
}

/** The version is part of the reply, so no other call has to be made for it. */
const versionTag = ({ version }: OutsideCredit) => `"o${version}"`;

interface OutsideDialogProps extends OutsideCreditsProps {
  credit: OutsideCredit | undefined;
  onClose: () => void;
}

function OutsideDialog({ studentId, audit, credit, onClose }: OutsideDialogProps) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const offered = audit.rows.filter(({ key, state }) => isLacking(state) || key === credit?.row);
  return (
    <FormDialog
      title={credit === undefined ? 'Credits from elsewhere' : `Change ${credit.title}`}
      fields={{
        title: credit?.title ?? '',
        credits: String(credit?.credits ?? ''),
        institution: credit?.institution ?? '',
        grade: credit?.grade ?? '',
        row: credit?.row ?? '',
      }}
      action={credit === undefined ? 'Add credits' : 'Save'}
      failure="The credits could not be stored. Try again."
      run={({ credits, row, grade, ...texts }) => {
        const params = { id: studentId };
        const body = { ...texts, credits: Number(credits), grade: grade || null, row: row || null };
        return credit === undefined
          ? call('POST /api/students/:id/outside-credits', {
              params,
              body,
              idempotencyKey: idempotencyKey(body),
            })
          : call('PUT /api/students/:id/outside-credits/:outside_id', {
              params: { ...params, outside_id: credit.outside_id },
              body,
              ifMatch: versionTag(credit),
            });
      }}
      onDone={() => invalidateAudit(queries, studentId)}
      onError={() => invalidateAudit(queries, studentId)}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField {...field('title')} label="Course" maxLength={255} required />
          <TextField {...field('institution')} label="Institution" maxLength={255} required />
          <NumberField {...field('credits')} label="Credit hours" min={1} max={40} step={1} required />
          <TextField
            {...field('grade')}
            label="Grade"
            maxLength={40}
            hint="As the other institution gave it. It has no grade points."
          />
          <SelectField
            {...field('row')}
            label="Fills the row"
            placeholder="No row"
            options={[
              ...(credit?.unused && credit.row !== null
                ? [{ value: credit.row, label: `${credit.row}, not in the scheme` }]
                : []),
              ...offered.map(({ key, title }) => ({ value: key, label: `${key}, ${title}` })),
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}

interface DeleteOutsideProps {
  studentId: string;
  credit: OutsideCredit | undefined;
  onClose: () => void;
}

function DeleteOutside({ studentId, credit, onClose }: DeleteOutsideProps) {
  const queries = useQueryClient();
  const deleting = useTask({
    run: (one: OutsideCredit) =>
      call('DELETE /api/students/:id/outside-credits/:outside_id', {
        params: { id: studentId, outside_id: one.outside_id },
        ifMatch: versionTag(one),
      }),
    failure: 'The credits could not be deleted. Try again.',
    flashesProblem: true,
    onSettled: () => {
      invalidateAudit(queries, studentId);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={credit !== undefined}
      tone="danger"
      text="Are you sure you want to delete these credits?"
      processing={deleting.isRunning}
      onYes={() => credit && deleting.start(credit)}
      onNo={onClose}
    >
      <div className="wrap-anywhere mt-0.5 text-fg-2 text-label">{credit?.title}</div>
    </ConfirmDialog>
  );
}
