import { Link } from '@tanstack/react-router';
import { Files, Lock, type LucideIcon, Table2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PolicyPreview } from '../../../contract/grading/policies.ts';
import { STANDING_LABELS, type Standing } from '../../../domain/student.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter } from '../../forms/form-layout.tsx';
import { formatCount, formatGradePoints, formatStudentCount, plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { StandingTag } from '../../ui/standing-tag.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';

interface PolicyPreviewStepProps {
  preview: PolicyPreview;
  /** The number that the policy will get. */
  number: number;
  isProcessing: boolean;
  onBack: () => void;
  onMake: () => void;
}

/** Whose CGPA and standing a policy would change. */
export function PolicyPreviewStep({ preview, number, isProcessing, onBack, onMake }: PolicyPreviewStepProps) {
  const { students, changed_students, standing, drafts } = preview;
  return (
    <Form onSubmit={onMake}>
      <div className="grid gap-4 pb-7">
        <p className="text-lead">
          Changes the CGPA of{' '}
          <b className="font-semibold">
            {changed_students === 0 ? 'no student' : formatStudentCount(changed_students)}
          </b>{' '}
          of {formatCount(students)}. Nothing is changed yet.
        </p>
        <ul className="max-w-[68ch] [&>li]:border-line [&>li]:not-first:border-t">
          {standing.moves.length > 0 && (
            <Effect icon={TriangleAlert} isWarning>
              {movesText(standing)}
            </Effect>
          )}
          <Effect icon={Lock}>
            A standing that was notified stays. Where this policy makes another one of it, the record shows
            both. Other standings and the degree check follow the policy.
          </Effect>
          {changed_students > 0 && (
            <Effect icon={Files}>Documents with a CGPA that changes become superseded.</Effect>
          )}
          <Effect icon={Table2}>
            {draftsText(drafts)} Grades, and mark sheets that have been submitted, stay as they are.
          </Effect>
        </ul>
        <Sample preview={preview} />
      </div>
      <FormFooter note="A policy can’t be edited or deleted. It can be superseded by another one.">
        <Button variant="quiet" onClick={onBack}>
          Back to the rules
        </Button>
        <Button type="submit" variant="primary" processing={isProcessing}>
          Create policy {number}
        </Button>
      </FormFooter>
    </Form>
  );
}

interface EffectProps {
  icon: LucideIcon;
  isWarning?: boolean;
  children: ReactNode;
}

/** One of the effects of a policy. */
function Effect({ icon: Icon, isWarning = false, children }: EffectProps) {
  return (
    <li className={`flex gap-2.5 py-2.5 ${isWarning ? 'text-warn' : 'text-fg-2'}`}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

const standingName = (standing: Standing | null) =>
  standing === null ? 'no standing' : STANDING_LABELS[standing];

/** Such as "11 students get another standing: 9 from Good standing to Warning, 2 from Warning to Probation." */
function movesText({ changed, moves }: PolicyPreview['standing']): string {
  const texts = moves.map(
    ({ before, after, students }) =>
      `${moves.length === 1 ? '' : `${formatCount(students)} `}from ${standingName(before)} to ${standingName(after)}`,
  );
  return `${plural(changed, 'student gets', 'students get')} another standing: ${texts.join(', ')}.`;
}

function draftsText(drafts: number): string {
  if (drafts === 0) return 'No draft of a mark sheet follows it.';
  return drafts === 1
    ? 'One draft of a mark sheet follows it.'
    : `${formatCount(drafts)} drafts of mark sheets follow it.`;
}

interface ChangedStudent {
  id: string;
  first_name: string;
  last_name: string;
  cgpa?: PolicyPreview['sample'][number];
  standing?: PolicyPreview['standing']['sample'][number];
}

/**
 * The students of both samples, in the order of their IDs, as far as it is known of each of them what changes: a sample ends
 * after some students.
 */
function mergeSamples({ sample, changed_students, standing }: PolicyPreview): ChangedStudent[] {
  const merged = new Map<string, ChangedStudent>();
  for (const one of sample) {
    const { id, first_name, last_name } = one;
    merged.set(id, { id, first_name, last_name, cgpa: one });
  }
  for (const one of standing.sample) {
    const { id, first_name, last_name } = one;
    merged.set(id, { ...(merged.get(id) ?? { id, first_name, last_name }), standing: one });
  }
  const ends = [
    ...(sample.length < changed_students ? [sample.at(-1)?.id ?? ''] : []),
    ...(standing.sample.length < standing.changed ? [standing.sample.at(-1)?.id ?? ''] : []),
  ];
  return [...merged.values()]
    .filter(({ id }) => ends.every((end) => id <= end))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function Sample({ preview }: { preview: PolicyPreview }) {
  const students = mergeSamples(preview);
  if (students.length === 0) return null;
  const isWhole =
    preview.sample.length === preview.changed_students &&
    preview.standing.sample.length === preview.standing.changed;
  return (
    <section>
      <h2 id="sample-heading" className="pb-2.5">
        Students
      </h2>
      <TableContainer>
        <Table
          label={{ id: 'sample-heading' }}
          columns={COLUMNS}
          rows={students}
          rowKey={({ id }) => id}
          rowClass={() => 'max-md:items-center max-md:py-2.5'}
          hasCards
        />
      </TableContainer>
      {!isWhole && (
        <p className="mt-2 text-fg-3 text-label">
          The first {formatStudentCount(students.length)}, in the order of their IDs.
        </p>
      )}
    </section>
  );
}

/** On small screens the name stands over the ID, and the standing below both. */
const COLUMNS: readonly Column<ChangedStudent>[] = [
  {
    head: 'CMS ID',
    className: 'wrap-anywhere max-md:row-start-2 max-md:text-label',
    cell: ({ id }) => (
      <Link
        to="/students/$studentId"
        params={{ studentId: id }}
        className="text-ink-text underline underline-offset-3"
      >
        {id}
      </Link>
    ),
  },
  {
    head: 'Name',
    className: 'strong wrap-anywhere max-md:row-start-1',
    cell: ({ first_name, last_name }) => `${first_name} ${last_name}`,
  },
  {
    head: 'CGPA',
    isNumber: true,
    className: 'max-md:col-start-2 max-md:row-span-2 max-md:row-start-1',
    cell: ({ cgpa }) =>
      cgpa === undefined ? (
        <span className="text-fg-3">Same CGPA</span>
      ) : (
        <>
          <del className="text-fg-3">{formatGradePoints(cgpa.cgpa_before)}</del>
          <Becomes />
          <ins className="font-semibold no-underline">{formatGradePoints(cgpa.cgpa_after)}</ins>
        </>
      ),
  },
  {
    head: 'Standing',
    className: 'max-md:col-span-2 max-md:row-start-3',
    cell: ({ standing }) =>
      standing === undefined ? (
        <span className="text-fg-3">Same standing</span>
      ) : (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-fg-3">Semester {standing.semester}</span>
          <StandingName standing={standing.before} />
          <Becomes />
          <StandingName standing={standing.after} />
        </span>
      ),
  },
];

const Becomes = () => (
  <>
    <span aria-hidden="true"> → </span>
    <span className="sr-only">, then </span>
  </>
);

const StandingName = ({ standing }: { standing: Standing | null }) =>
  standing === null ? <span>No standing</span> : <StandingTag standing={standing} />;
