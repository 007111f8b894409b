import { Link } from '@tanstack/react-router';
import type { PolicyPreview } from '../../../contract/grading/policies.ts';
import { FormFooter } from '../../forms/form-layout.tsx';
import { formatCount, formatGradePoints, formatStudentCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../../ui/table.tsx';

interface PolicyPreviewStepProps {
  preview: PolicyPreview;
  /** That the policy will get. */
  number: number;
  isProcessing: boolean;
  onBack: () => void;
  onMake: () => void;
}

/** Whose CGPA a policy would change. */
export function PolicyPreviewStep({ preview, number, isProcessing, onBack, onMake }: PolicyPreviewStepProps) {
  const { students, changed_students } = preview;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onMake();
      }}
    >
      <div className="grid gap-4 pb-7">
        <p className="text-lead">
          Changes the CGPA of{' '}
          <b className="font-semibold">
            {changed_students === 0 ? 'no student' : formatStudentCount(changed_students)}
          </b>{' '}
          of {formatCount(students)}. Nothing is changed yet.
        </p>
        <p className="max-w-[64ch] text-fg-2">
          Grades and mark sheets stay as they are. Standing and the degree check follow the rules of the
          policy for all its students, whether their CGPA changes or not.
        </p>
        {preview.sample.length > 0 && <Sample preview={preview} />}
      </div>
      <FormFooter note="A policy can’t be edited or deleted. It can be superseded by another one.">
        <Button variant="quiet" onClick={onBack}>
          Back to the rules
        </Button>
        <Button type="submit" variant="primary" processing={isProcessing}>
          Make policy {number}
        </Button>
      </FormFooter>
    </form>
  );
}

function Sample({ preview: { sample, changed_students } }: { preview: PolicyPreview }) {
  return (
    <section>
      <h2 id="sample-heading" className="pb-2.5">
        Students
      </h2>
      <TableContainer>
        <table {...TABLE_ROLE} aria-labelledby="sample-heading" className="tbl max-md:block">
          <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
            <tr {...ROW_ROLE}>
              {['CMS ID', 'Name'].map((heading) => (
                <th key={heading} {...COLUMN_HEADER_ROLE} scope="col">
                  {heading}
                </th>
              ))}
              <th {...COLUMN_HEADER_ROLE} scope="col" className="num">
                CGPA
              </th>
            </tr>
          </thead>
          <tbody {...ROW_GROUP_ROLE} className="max-md:block">
            {sample.map((student) => (
              <SampleRow key={student.id} student={student} />
            ))}
          </tbody>
        </table>
      </TableContainer>
      {changed_students > sample.length && (
        <p className="mt-2 text-fg-3 text-label">
          The first {sample.length} of {formatCount(changed_students)}, in the order of their IDs.
        </p>
      )}
    </section>
  );
}

const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';

/** On small screens the name stands over the ID. */
function SampleRow({
  student: { id, first_name, last_name, cgpa_before, cgpa_after },
}: {
  student: PolicyPreview['sample'][number];
}) {
  return (
    <tr
      {...ROW_ROLE}
      className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:border-line max-md:border-b max-md:px-4 max-md:py-2.5 max-md:last:border-0"
    >
      <td {...CELL_ROLE} className={`${cell} wrap-anywhere max-md:row-start-2 max-md:text-label`}>
        <Link
          to="/students/$studentId"
          params={{ studentId: id }}
          className="text-ink-text underline underline-offset-3"
        >
          {id}
        </Link>
      </td>
      <td {...CELL_ROLE} className={`strong wrap-anywhere ${cell} max-md:row-start-1`}>
        {first_name} {last_name}
      </td>
      <td {...CELL_ROLE} className={`num ${cell} max-md:col-start-2 max-md:row-span-2 max-md:row-start-1`}>
        <del className="text-fg-3">{formatGradePoints(cgpa_before)}</del>
        <span aria-hidden="true"> → </span>
        <span className="sr-only">, then </span>
        <ins className="font-semibold no-underline">{formatGradePoints(cgpa_after)}</ins>
      </td>
    </tr>
  );
}
