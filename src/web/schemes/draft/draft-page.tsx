import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, FileUp, Pencil, Trash2, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Scheme } from '../../../contract/schemes/schemes.ts';
import { sumSemesters } from '../../../domain/schemes/scheme.ts';
import { coursesQuery } from '../../courses/course-queries.ts';
import { restoreState } from '../../forms/restore-state.ts';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { useTask } from '../../forms/use-task.ts';
import { call, callWithVersion } from '../../lib/call.ts';
import { formatTime, plural } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { flash } from '../../ui/flash.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { SchemeHead, SemesterSums } from '../scheme-head.tsx';
import { schemeQuery, schemesQuery } from '../scheme-queries.ts';
import { type Catalogue, makeCatalogue } from './catalogue.ts';
import { CheckPanel } from './check-panel.tsx';
import { DraftGrid } from './draft-grid.tsx';
import { DraftHeadDialog } from './draft-head-dialog.tsx';
import { type SchemeCheck, useSchemeCheck } from './use-scheme-check.ts';
import { type SchemeDraft, useSchemeDraft } from './use-scheme-draft.ts';

interface DraftProps {
  scheme: Scheme;
  version: string | undefined;
}

/** The editor of a draft, once the catalogue is read that its codes are of. */
export function DraftPage(props: DraftProps) {
  const courses = useQuery(coursesQuery);
  const catalogue = useMemo(
    () => courses.data && makeCatalogue(courses.data, props.scheme.courses),
    [courses.data, props.scheme],
  );
  if (catalogue !== undefined) return <DraftEditor {...props} catalogue={catalogue} />;
  return (
    <>
      <SchemeHead scheme={props.scheme} />
      <LoadError query={courses} />
      {courses.isPending && <TableSkeleton />}
    </>
  );
}

function DraftEditor({ scheme, version, catalogue }: DraftProps & { catalogue: Catalogue }) {
  const { scheme_id } = scheme;
  const navigate = useNavigate();
  const draft = useSchemeDraft(scheme, version, catalogue);
  const check = useSchemeCheck(draft.head, draft.read, draft.refused, catalogue);
  const [openDialog, setOpenDialog] = useState<'head' | 'delete'>();
  const closeDialog = () => setOpenDialog(undefined);
  const [isLeaving, setIsLeaving] = useState(false);
  const semesters = sumSemesters(draft.read.rows.map(({ row }) => row));
  const isReady = isLeaving && !draft.isDirty;
  useEffect(() => {
    if (isReady)
      void navigate({
        to: '/settings/schemes/$schemeId/preview',
        params: { schemeId: String(scheme_id) },
      });
  }, [isReady, navigate, scheme_id]);
  const preview = () => {
    setIsLeaving(true);
    if (draft.isDirty) draft.save();
  };

  return (
    <>
      <SchemeHead scheme={{ ...scheme, ...draft.head }} semesters={semesters}>
        <SaveState draft={draft} />
        <MoreMenu
          groups={[
            {
              items: [
                {
                  label: 'Name and batches…',
                  Icon: Pencil,
                  isDisabled: !draft.isReadable,
                  onSelect: () => setOpenDialog('head'),
                },
                {
                  label: 'Import rows',
                  Icon: FileUp,
                  to: '/imports/new',
                  search: { kind: 'scheme', scheme: String(scheme_id) },
                },
              ],
            },
            {
              items: [
                {
                  label: 'Delete draft…',
                  Icon: Trash2,
                  className: 'text-danger-text',
                  onSelect: () => setOpenDialog('delete'),
                },
              ],
            },
          ]}
        />
        <Button
          variant="primary"
          aria-disabled={check.refusals > 0}
          processing={isLeaving && draft.isRunning}
          onClick={preview}
        >
          Preview the effect
        </Button>
      </SchemeHead>
      <Conflict draft={draft} schemeId={scheme_id} />
      {draft.problem !== undefined && <Alert className="mb-5">{draft.problem}</Alert>}
      <SemesterSums semesters={semesters} mark={(semester) => <Mark check={check} semester={semester} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 xl:order-last xl:sticky xl:top-18">
          <CheckPanel check={check} />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <DraftGrid draft={draft} check={check} catalogue={catalogue} />
          <p className="text-fg-3 text-label">
            <Kbd>Enter</Kbd> and arrows move, <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> adds a row, <Kbd>Alt</Kbd>{' '}
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> move the row, <Kbd>Esc</Kbd> puts the cell back, <Kbd>Ctrl</Kbd>{' '}
            <Kbd>Z</Kbd> takes back, <Kbd>F8</Kbd> goes to the next fault. Several codes with <Kbd>/</Kbd> are
            options; a need that may be taken in the same term begins with “beside”.
          </p>
        </div>
      </div>
      {openDialog === 'head' && <DraftHeadDialog schemeId={scheme_id} draft={draft} onClose={closeDialog} />}
      <DeleteDraft scheme={scheme} draft={draft} isAsking={openDialog === 'delete'} onClose={closeDialog} />
    </>
  );
}

function SaveState({ draft }: { draft: SchemeDraft }) {
  const text = draft.isRunning
    ? 'Saving'
    : !draft.isReadable
      ? `Not saved: ${plural(draft.read.faults.size, 'row')} can’t be read`
      : draft.isLost
        ? 'Not saved. Trying again'
        : draft.isDirty
          ? 'Not saved yet'
          : draft.savedAt === null
            ? ''
            : `Saved ${formatTime(draft.savedAt)}`;
  return (
    <p role="status" className="self-center text-fg-2 text-label empty:absolute">
      {text}
    </p>
  );
}

/** The worst that is said of a semester. */
function Mark({ check, semester }: { check: SchemeCheck; semester: number }) {
  const own = check.lines.filter((line) => line.semester === semester);
  if (own.length === 0) return null;
  const isRefused = own.some(({ isRefusal }) => isRefusal);
  const Icon = isRefused ? CircleAlert : TriangleAlert;
  return (
    <>
      <Icon className={`size-3.25 ${isRefused ? 'text-danger-text' : 'text-warn'}`} />
      <span className="sr-only">{isRefused ? ', with a fault' : ', with a warning'}</span>
    </>
  );
}

/** Somebody else has stored other rows meanwhile: which of both are kept. */
function Conflict({ draft, schemeId }: { draft: SchemeDraft; schemeId: number }) {
  const queries = useQueryClient();
  const taking = useTask({
    run: () => queries.resetQueries({ queryKey: schemeQuery(schemeId).queryKey }),
    failure: 'The draft could not be read. Try again.',
    flashesProblem: true,
  });
  const keeping = useTask({
    run: async () => {
      const { version } = await callWithVersion('GET /api/schemes/:scheme_id', {
        params: { scheme_id: schemeId },
      });
      if (version !== undefined) draft.keepMine(version);
    },
    failure: 'The draft could not be read. Try again.',
    flashesProblem: true,
  });
  const { conflict } = draft;
  if (conflict === undefined) return null;
  return (
    <Alert tone="warn" className="mb-5">
      <p className="wrap-anywhere">
        {conflict.latestChange.changed_by ?? 'Another user'} has changed this draft meanwhile. What you typed
        since is not saved.
      </p>
      <p className="mt-2.5 flex flex-wrap gap-2">
        <Button
          size="sm"
          className="text-fg"
          onClick={() => {
            draft.discard();
            taking.start();
          }}
        >
          Use the stored draft
        </Button>
        <Button size="sm" className="text-fg" onClick={() => keeping.start()}>
          Keep mine
        </Button>
      </p>
    </Alert>
  );
}

interface DeleteDraftProps {
  scheme: Scheme;
  draft: SchemeDraft;
  isAsking: boolean;
  onClose: () => void;
}

/** Asks before a draft is deleted, and offers to bring it back. */
function DeleteDraft({ scheme: { scheme_id }, draft, isAsking, onClose }: DeleteDraftProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const restoring = useTask({
    run: (entry: number) => restoreState(entry, 'before', { idempotencyKey: idempotencyKey(entry) }),
    failure: 'The draft could not be restored. Try again.',
    invalidates: [schemesQuery.queryKey],
    onDone: (message) => flash(message),
    flashesProblem: true,
  });
  const deleting = useTask({
    run: () => call('DELETE /api/schemes/:scheme_id', { params: { scheme_id }, ifMatch: draft.version }),
    failure: 'The draft could not be deleted. Try again.',
    flashesProblem: true,
    undo: ({ entry }) => restoring.start(entry),
    onDone: async () => {
      draft.discard();
      queries.removeQueries({ queryKey: schemesQuery.queryKey });
      await navigate({ to: '/settings/schemes' });
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isAsking}
      tone="danger"
      text="Are you sure you want to delete this draft?"
      processing={deleting.isRunning}
      onYes={() => deleting.start()}
      onNo={onClose}
    >
      <div className="wrap-anywhere mt-0.5 text-fg-2 text-label">{draft.head.name}</div>
    </ConfirmDialog>
  );
}
