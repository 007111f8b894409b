import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import type { SchemeSubjects } from '../../../../contract/schemes/audit.ts';
import { coursesQuery } from '../../../courses/course-queries.ts';
import { plural } from '../../../lib/format.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { hasLoadError } from '../../../ui/page/load-error.tsx';
import { schemeSubjectsQuery } from '../../student-queries.ts';
import { EMPTY_SEMESTER, slotsToFormValues } from './semester-values.ts';
import { emptySlots } from './subjects/subject-slots.ts';

/** The values that the form of a new semester begins with: the rows of the scheme that nothing fills, without grades. */
function toBeginning({ subjects }: Pick<SchemeSubjects, 'subjects'>): Record<string, string> {
  if (subjects.length === 0) return EMPTY_SEMESTER;
  const slots = emptySlots().map((slot, i) => {
    const row = subjects[i];
    if (row === undefined) return { ...slot, shown: false };
    const { title, course_id, credits } = row;
    return { title, id: String(course_id ?? ''), credit: String(credits ?? ''), grade: '', shown: true };
  });
  return { ...slotsToFormValues(slots), reason: '' };
}

/** The beginning of a semester that is not recorded; undefined until it is read. Without an answer the form is empty. */
export function useBeginning(
  studentId: string,
  semester: number,
  isNew: boolean,
): Record<string, string> | undefined {
  const query = usePageQuery({
    ...schemeSubjectsQuery(studentId, semester),
    enabled: isNew,
    loading: 'scheme',
  });
  if (!isNew || hasLoadError({ query })) return EMPTY_SEMESTER;
  return query.data && toBeginning(query.data);
}

interface FromSchemeProps {
  studentId: string;
  semester: number;
}

/** Says where the subjects of the form come from, and which courses fill those with a choice. */
export function FromScheme({ studentId, semester }: FromSchemeProps) {
  const { data } = useQuery(schemeSubjectsQuery(studentId, semester));
  const { data: courses = [] } = useQuery(coursesQuery);
  if (data?.scheme_id == null || data.subjects.length === 0) return null;
  const { scheme_id, subjects } = data;
  const codeOf = (id: number) => courses.find(({ course_id }) => course_id === id)?.course_code ?? `${id}`;
  const choices = subjects.filter(({ options }) => options.length > 1);
  return (
    <div className="mb-4 flex gap-2.5 rounded-panel border border-line bg-sunken px-3.5 py-2.75">
      <ListTree className="mt-0.5 size-4 shrink-0 text-fg-3" />
      <div className="wrap-anywhere min-w-0">
        <p>
          From{' '}
          <Link
            to="/settings/schemes/$schemeId"
            params={{ schemeId: String(scheme_id) }}
            className="link font-semibold"
          >
            the scheme
          </Link>
          : {plural(subjects.length, 'row')} of semester {semester} that nothing fills. Type a letter, then
          Enter.
        </p>
        {choices.map(({ key, title, options }) => (
          <p key={key} className="mt-1 text-fg-2 text-label">
            {title}: type {options.map(codeOf).join(' or ')} over the title.
          </p>
        ))}
      </div>
    </div>
  );
}
