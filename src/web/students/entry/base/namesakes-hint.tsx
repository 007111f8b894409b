import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { dateInWords } from '../../../lib/format.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { fullName } from '../../student-format.ts';
import { namesakesQuery } from '../../student-queries.ts';
import type { StudentValues } from './student-values.ts';

const DELAY_MS = 300;

/** Names the students with the name and date of birth of a new entry, who may be the same person. It can be saved all the same. */
export function NamesakesHint({ values }: { values: StudentValues }) {
  const first_name = values.first_name.trim();
  const last_name = values.last_name.trim();
  const { dob } = values;
  const [person, setPerson] = useState({ first_name, last_name, dob });
  const { run } = useDebounced(setPerson, DELAY_MS);
  useEffect(() => run({ first_name, last_name, dob }), [run, first_name, last_name, dob]);

  const born = dateInWords(person.dob);
  const isComplete = person.first_name !== '' && person.last_name !== '' && born !== '';
  const { data } = useQuery({ ...namesakesQuery(person), enabled: isComplete, retry: false });
  const students = isComplete ? (data?.students ?? []) : [];
  return (
    // Out of the grid while it is empty, when it has to be there for screen readers to announce what comes.
    <div aria-live="polite" className="empty:absolute">
      {students.length > 0 && (
        <ul className="rounded-control border border-warn-line bg-warn-soft px-3.5 py-2 text-warn">
          {students.map((student) => (
            <li key={student.id} className="wrap-anywhere">
              There is already {fullName(student)}, born {born}:{' '}
              {/* What is typed is kept as a draft while the other record is looked at. */}
              <Link
                to="/students/$studentId"
                params={{ studentId: student.id }}
                className="inline-block leading-6 underline underline-offset-3"
              >
                {student.id}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
