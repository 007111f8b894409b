import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { Home, SetupStep } from '../../contract/home.ts';
import { Section } from './section.tsx';

const STEPS: Record<SetupStep, { text: string; why: string; to: string; search?: object }> = {
  institution: {
    text: 'Name the institution',
    why: 'Documents carry its name and address.',
    to: '/settings',
  },
  term: {
    text: 'Add a term',
    why: 'Mark sheets and results belong to one.',
    to: '/settings/terms',
  },
  courses: {
    text: 'Import the courses',
    why: 'From a workbook or CSV; or add them one by one.',
    to: '/imports/new',
    search: { kind: 'courses' },
  },
  students: {
    text: 'Import the students',
    why: 'From a workbook or CSV, previewed before anything is saved.',
    to: '/imports/new',
    search: { kind: 'students' },
  },
  colleague: {
    text: 'Invite a colleague',
    why: 'Each person works with an account of their own.',
    to: '/list-users',
  },
  scheme: {
    text: 'Put a scheme of studies in force',
    why: 'Results begin with its subjects, and records say what is missing for the degree.',
    to: '/settings/schemes',
  },
};

/** The steps that set up a new faculty. They are ticked off automatically; the list disappears when all are done. */
export function FirstSteps({ steps }: { steps: NonNullable<Home['setup']> }) {
  if (steps.length === 0) return null;
  const open = steps.filter(({ done }) => !done).length;
  return (
    <Section title="First steps" count={open}>
      <ol>
        {steps.map(({ step, done }) => {
          const { text, why, to, search = {} } = STEPS[step];
          const Icon = done ? CircleCheck : Circle;
          return (
            <li key={step} className="flex items-start gap-3 border-line border-b py-2.5">
              <Icon className={`mt-0.75 size-4 shrink-0 ${done ? 'text-ok' : 'text-fg-3'}`} />
              {done ? (
                <span className="text-fg-2">
                  {text}
                  <span className="sr-only"> (done)</span>
                </span>
              ) : (
                <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
                  <Link to={to} search={search} className="link font-semibold">
                    {text}
                  </Link>
                  <span className="text-fg-2 text-label">{why}</span>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
