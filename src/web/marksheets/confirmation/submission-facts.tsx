import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { formatDateTime } from '../../lib/format.ts';

/** The author of a step and its time. */
export const authorAndTime = (person: Sheet['submitted_by'], at: string | null): string =>
  `${person?.name ?? 'a deleted account'}${at === null ? '' : `, ${formatDateTime(at)}`}`;

/** The rules of the checks and of the policy that a reason can be given for. */
const RULE_NAMES: Readonly<Record<string, string>> = {
  'max-a-share': 'Share of A',
  'max-f-share': 'Share of F',
  'relative-full': 'Small class',
  'class-list': 'Class list',
};

const ruleName = (rule: string) =>
  RULE_NAMES[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1).replaceAll('-', ' ')}`;

/** The person who submitted a sheet, and the reasons given for its warnings. */
export function SubmissionFacts({ sheet }: { sheet: Sheet }) {
  const reasons = Object.entries(sheet.submit_reasons);
  if (sheet.submitted_at === null) return null;
  return (
    <section aria-labelledby="sheet-submission">
      <h2 id="sheet-submission" className="mb-2">
        {`Submitted by ${authorAndTime(sheet.submitted_by, sheet.submitted_at)}`}
      </h2>
      {reasons.length === 0 && sheet.boundaries_reason === null ? (
        <p className="text-fg-2">No warnings.</p>
      ) : (
        <dl className="sheet-reasons">
          {reasons.map(([rule, reason]) => (
            <div key={rule}>
              <dt>{ruleName(rule)}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
          {sheet.boundaries_reason !== null && (
            <div>
              <dt>Boundaries moved by hand</dt>
              <dd>{sheet.boundaries_reason}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}
