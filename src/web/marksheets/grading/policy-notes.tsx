import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Policy } from '../../../contract/grading/policies.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { MovedBoundary } from '../../../domain/marksheets/boundaries.ts';
import type { LetterWarning } from '../../../domain/marksheets/letters.ts';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { markText } from './scheme/scheme.ts';
import { REASON_FIELD } from './scheme/use-store-scheme.ts';

interface PolicyNotesProps {
  policy: Policy;
  sheet: Sheet;
  warnings: readonly LetterWarning[];
  moved: readonly MovedBoundary[];
  isReadOnly: boolean;
  onPropose: (() => void) | undefined;
  reason: string;
  onReason: (reason: string) => void;
  reasonError: string | undefined;
  needsReason: boolean;
}

/** The warnings of the policy for these boundaries, and the reason for storing them anyway. */
export function PolicyNotes(props: PolicyNotesProps) {
  const { policy, sheet, warnings, moved, isReadOnly, onPropose } = props;
  const guards = guardTexts(policy);
  return (
    <section aria-labelledby="grading-policy" className="mt-6">
      <h2 id="grading-policy" className="mb-1.5">
        {`Policy ${policy.policy_id}`}
      </h2>
      <ul className="grading-notes">
        {warnings.map(({ rule, text }) => (
          <Note key={rule} kind="warning">
            {text}
          </Note>
        ))}
        {warnings.length === 0 && <Note kind="ok">The shares of A and F are within the limits.</Note>}
        {moved.length > 0 && (
          <Note kind="info">
            {plural(moved.length, 'boundary differs', 'boundaries differ')} from what the method proposes:{' '}
            {moved.map(({ letter, proposed }) => `${letter} ${markText(proposed)}`).join(', ')}.
            {!isReadOnly && onPropose && (
              <Button size="sm" className="mt-2 block" onClick={onPropose}>
                Take the proposed ones
              </Button>
            )}
          </Note>
        )}
        {guards.map((text) => (
          <Note key={text} kind="info">
            {text}
          </Note>
        ))}
      </ul>
      {!isReadOnly && props.needsReason && (
        <TextAreaField
          label="Reason for these boundaries"
          name={REASON_FIELD}
          value={props.reason}
          onChange={props.onReason}
          error={props.reasonError}
          hint="Boundaries were moved by hand and a limit is passed. Stands in the history and with the submission."
          required
          rows={3}
          className="mt-4"
        />
      )}
      {sheet.boundaries_reason !== null && (isReadOnly || !props.needsReason) && (
        <p className="wrap-anywhere mt-3 text-fg-2 text-label">{`Reason given: ${sheet.boundaries_reason}`}</p>
      )}
    </section>
  );
}

/** The rules that hold whatever the boundaries are. */
function guardTexts({ rules }: Policy): string[] {
  const { pass_floor, pass_guarantee, a_guarantee } = rules;
  return [
    ...(pass_floor ? [`A total below ${pass_floor} is an F, whatever the boundaries are.`] : []),
    ...(pass_guarantee === null ? [] : [`A total of ${pass_guarantee} is at least a D.`]),
    ...(a_guarantee === null ? [] : [`A total of ${a_guarantee} is an A.`]),
  ];
}

const ICONS = { warning: TriangleAlert, ok: CircleCheck, info: Info } as const;

function Note({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <li data-kind={kind}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </li>
  );
}
