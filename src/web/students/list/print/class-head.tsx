import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calendarDate } from '../../../../domain/age.ts';
import { currentTerm } from '../../../settings/current-term.ts';
import { termsQuery } from '../../../settings/term-queries.ts';
import { TextField } from '../../../ui/fields/input-fields.tsx';

/** The facts in the head of a class list. Where one is not known, there is a line to write it on. */
const FACTS = [
  { name: 'course', label: 'Course' },
  { name: 'teacher', label: 'Teacher' },
  { name: 'term', label: 'Term' },
] as const;

/** The typed texts of a class list. */
export interface ClassHead {
  course: string;
  teacher: string;
  term: string;
  /** The heads of the empty columns, with commas. */
  headings: string;
}

/** The head of a class list, which begins with the current term. */
export function useClassHead(isNeeded: boolean) {
  const terms = useQuery({ ...termsQuery, enabled: isNeeded });
  const [typed, setTyped] = useState<Partial<ClassHead>>({});
  const term = currentTerm(terms.data ?? [], calendarDate(new Date()))?.name ?? '';
  const head: ClassHead = { course: '', teacher: '', term, headings: '', ...typed };
  return {
    head,
    change: (part: Partial<ClassHead>) => setTyped({ ...typed, ...part }),
    isReady: !isNeeded || !terms.isPending,
  };
}

interface ClassFieldsProps {
  head: ClassHead;
  onChange: (part: Partial<ClassHead>) => void;
}

export function ClassFields({ head, onChange }: ClassFieldsProps) {
  return (
    <>
      <TextField
        label="Their headings"
        name="headings"
        value={head.headings}
        onChange={(headings) => onChange({ headings })}
        placeholder="Quiz 1, Quiz 2"
        maxLength={500}
        className="w-72"
      />
      {FACTS.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          value={head[name]}
          onChange={(value) => onChange({ [name]: value })}
          maxLength={100}
          className="w-52"
        />
      ))}
    </>
  );
}

/** The head of a class list on paper. */
export function ClassFacts({ head }: { head: ClassHead }) {
  return (
    <dl className="print-only print-facts mb-3">
      {FACTS.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{head[name]}</dd>
        </div>
      ))}
    </dl>
  );
}
