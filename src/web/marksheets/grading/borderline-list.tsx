import { Link } from '@tanstack/react-router';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { BorderlineRow } from '../../../domain/marksheets/letters.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { markText } from './scheme/scheme.ts';

interface BorderlineListProps {
  sheet: Pick<Sheet, 'rows'>;
  borderline: readonly BorderlineRow[];
}

/** Students who miss a better letter by less than 1 mark, the nearest first. */
export function BorderlineList({ sheet, borderline }: BorderlineListProps) {
  const names = new Map(sheet.rows.map((row) => [row.student_id, `${row.first_name} ${row.last_name}`]));
  return (
    <section aria-labelledby="grading-borderline" className="mt-8">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="grading-borderline">Just under a boundary</h2>
        <span className="text-fg-3 text-label">{`${formatStudentCount(borderline.length)} less than 1 mark short`}</span>
      </div>
      {borderline.length > 0 && (
        <ul aria-labelledby="grading-borderline" className="grid gap-x-7 lg:grid-cols-2">
          {borderline
            .toSorted((a, b) => a.short_by - b.short_by)
            .map(({ student_id, total, letter, next_letter, short_by }) => (
              <li
                key={student_id}
                className="flex min-w-0 flex-wrap items-baseline gap-x-3 border-line border-b py-2"
              >
                <span className="min-w-0 flex-1">
                  <Link
                    to="/students/$studentId"
                    params={{ studentId: student_id }}
                    className="link link-quiet"
                  >
                    {names.get(student_id) ?? student_id}
                  </Link>{' '}
                  <span className="text-fg-3 text-label">{student_id}</span>
                </span>
                <span className="text-fg-2 text-label">{`${letter}, ${markText(short_by)} under ${next_letter}`}</span>
                <b className="font-[620]">{markText(total)}</b>
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
