import { useQuery } from '@tanstack/react-query';
import { Check, CircleHelp, X } from 'lucide-react';
import type { DegreeCheck as DegreeCheckReply } from '../../../../contract/grading/grading.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { degreeCheckQuery } from './grading-queries.ts';

type Line = DegreeCheckReply['lines'][number];

const RULES: Readonly<Record<Line['rule'], string>> = {
  semesters: 'Semesters',
  credits: 'Credit hours',
  cgpa: 'CGPA',
  'no-fails': 'No F',
  'no-incomplete': 'Grades',
  linked: 'Course IDs',
  scheme: 'Scheme',
};

const STATES = {
  pass: { tone: 'ok', icon: Check, text: 'Fulfilled' },
  fail: { tone: 'danger', icon: X, text: 'Not fulfilled' },
  unknown: { tone: 'warn', icon: CircleHelp, text: 'Not known' },
} as const;

/** The conditions of the degree, each fulfilled, not fulfilled, or not to be known from the record. */
export function DegreeCheck({ studentId }: { studentId: string }) {
  const check = useQuery(degreeCheckQuery(studentId));
  if (check.data === undefined) return <LoadError query={check} />;
  const { passed, lines } = check.data;
  return (
    <>
      <p className="pb-3 text-fg-2">
        {passed === null
          ? "No condition fails, but one can't be known from the record."
          : passed
            ? 'All conditions of the degree are fulfilled.'
            : 'Not all conditions of the degree are fulfilled.'}
      </p>
      <ul className="border-line border-t">
        {lines.map(({ rule, state, text }) => {
          const { tone, icon: Icon, text: stateText } = STATES[state];
          return (
            <li
              key={rule}
              className="unbroken flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2"
            >
              <b className="w-28 font-[560]">{RULES[rule]}</b>
              <span className="wrap-anywhere min-w-0 flex-[1_1_180px] text-fg-2">{text}</span>
              <Tag tone={tone} icon={<Icon />}>
                {stateText}
              </Tag>
            </li>
          );
        })}
      </ul>
    </>
  );
}
