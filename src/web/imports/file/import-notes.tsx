import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, type LucideIcon, PencilLine, Plus } from 'lucide-react';
import type { ImportKind } from '../../../contract/imports.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { authorText, KIND_NAMES, rowsText } from '../import-labels.ts';
import { importsQuery } from '../import-queries.ts';

const NEEDED: Readonly<Record<ImportKind, readonly [title: string, text: string]>> = {
  students: [
    'Needed for each new student',
    'CMS ID, first and last name, date of birth, joining date, department, degree, syndicate, semester, FSC and Matric marks, year and division; of the family the father’s name and occupation.',
  ],
  results: [
    'Needed in each row',
    'CMS ID, semester, the subject by its course code, course ID or title, credit hours and grade. Or a row per semester with a column per course.',
  ],
  courses: ['Needed for each new course', 'Course ID, course code and course name.'],
  scheme: ['Needed in each row', 'Semester, course code and hours such as 3+1.'],
  marks: ['Needed in each row', 'Marks from 0 to 100. Other columns may stand beside them.'],
};

const MATCHED: Readonly<Record<ImportKind, readonly (readonly [LucideIcon, string])[]>> = {
  students: [
    [Plus, 'A CMS ID that is not in the list becomes a new student.'],
    [PencilLine, 'A CMS ID that is in the list is changed, only in the columns the file has.'],
  ],
  results: [
    [Plus, 'The rows of a student fill the semesters in their order.'],
    [PencilLine, 'A subject that a semester has already is changed; what the file does not name stays.'],
  ],
  courses: [
    [Plus, 'A course ID that is not in the catalogue becomes a new course.'],
    [PencilLine, 'A course ID that is in the catalogue is changed, only in the columns the file has.'],
  ],
  scheme: [[PencilLine, 'The rows of the file replace those of the draft.']],
  marks: [[PencilLine, 'The marks of the file replace those that were entered for the course by hand.']],
};

/** The columns that the file needs, how it is read, and the latest imports. */
export function ImportNotes({ kind }: { kind: ImportKind }) {
  const [title, text] = NEEDED[kind];
  return (
    <aside className="grid gap-6 text-label xl:border-line xl:border-s xl:ps-8">
      <Note title={title}>
        <p className="text-fg-2">{text}</p>
      </Note>
      <Note title="How rows are matched">
        <ul className="grid gap-2">
          {[
            ...MATCHED[kind],
            [
              CircleAlert,
              'A row with a value that can’t be right is refused. You see it, and can correct it, before anything is saved.',
            ] as const,
          ].map(([Icon, line]) => (
            <li key={line} className="flex gap-2.5 text-fg-2">
              <Icon className="mt-0.5 size-3.5 shrink-0 text-fg-3" />
              {line}
            </li>
          ))}
        </ul>
      </Note>
      <Note title="Files">
        <p className="text-fg-2">
          CSV with comma, semicolon, tab or bar, in UTF-8, UTF-16 or Windows-1252. XLSX: you choose the sheet.
          Formulas count as their last value. An empty cell leaves a stored value as it is; [clear] empties
          it.
        </p>
      </Note>
      <LatestImports />
    </aside>
  );
}

function LatestImports() {
  const user = useCurrentUser();
  const latest = useQuery(importsQuery).data?.slice(0, 2) ?? [];
  if (latest.length === 0) return null;
  return (
    <Note title="Latest imports">
      <ul className="grid gap-2">
        {latest.map((item) => (
          <li key={item.import_id}>
            <Link
              to="/imports/$importId"
              params={{ importId: String(item.import_id) }}
              className="link link-quiet"
            >
              {`${KIND_NAMES[item.kind]}, ${rowsText(item.rows)}`}
            </Link>
            <span className="block text-fg-3">{`${formatDateTime(item.created_at)}, ${authorText(item, user?.id)}`}</span>
          </li>
        ))}
      </ul>
      <Link to="/imports" className="link mt-3 inline-block">
        All imports
      </Link>
    </Note>
  );
}

function Note({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="mb-1.5 text-label">{title}</h2>
      {children}
    </section>
  );
}
