import { useQuery } from '@tanstack/react-query';
import { SYNDICATES } from '../../domain/student.ts';
import { SelectField } from '../ui/fields/input-fields.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { DEPARTMENT_OPTIONS, SEMESTER_OPTIONS, toBatchOptions, toOption } from './class-options.ts';
import { classesQuery } from './reports-queries.ts';
import { useReportsSearchParams } from './search-params.ts';
import { useReportedTerm } from './use-reported-term.ts';

/** Selects the class among those that have students, and the semester where the report is of one. */
export function ClassFields() {
  const { address, change } = useReportsSearchParams();
  const { department = '', degree = '', syn = '', semester, report } = address;
  const query = useQuery(classesQuery);
  const classes = query.data ?? [];
  const ofDepartment = classes.filter((one) => one.department === department);
  // What an address names stays, even without students.
  const degrees = new Set([...ofDepartment.map((one) => one.degree), ...(degree === '' ? [] : [degree])]);
  const syndicates = new Set([
    ...ofDepartment.filter((one) => one.degree === degree).map((one) => one.syn),
    ...(address.syn === undefined ? [] : [address.syn]),
  ]);
  return (
    <>
      <LoadError query={query} />
      <div className="grid max-w-[60rem] grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-[2fr_1fr_1fr_1fr]">
        <SelectField
          label="Department"
          name="department"
          value={department}
          placeholder="Select a department"
          options={DEPARTMENT_OPTIONS}
          onChange={(to) => {
            const hasBatch = classes.some((one) => one.department === to && one.degree === degree);
            change({ department: to, syn: '', ...(!hasBatch && { degree: '' }) });
          }}
          className="max-sm:col-span-2"
        />
        <SelectField
          label="Batch"
          name="degree"
          value={degree}
          placeholder="Select a batch"
          options={toBatchOptions(degrees)}
          onChange={(to) => change({ degree: to, syn: '' })}
        />
        <SelectField
          label="Syndicate"
          name="syn"
          value={syn}
          placeholder="All"
          options={SYNDICATES.filter((one) => syndicates.has(one)).map((one) => toOption(one))}
          onChange={(to) => change({ syn: to })}
        />
        {report === 'shortage' && <TermField />}
        {report !== 'degree-check' && report !== 'audit' && report !== 'shortage' && (
          <SelectField
            label="Semester"
            name="semester"
            value={String(semester ?? '')}
            placeholder="Latest"
            options={SEMESTER_OPTIONS}
            onChange={(to) => change({ semester: to })}
          />
        )}
      </div>
    </>
  );
}

/** The term of a report; the current one until another is chosen. */
function TermField() {
  const { change } = useReportsSearchParams();
  const { terms, termId } = useReportedTerm();
  return (
    <SelectField
      label="Term"
      name="term_id"
      value={String(termId ?? '')}
      options={terms.map(({ term_id, name }) => toOption(String(term_id), name))}
      onChange={(to) => change({ term_id: to })}
    />
  );
}
