import { Check, CircleX, Clock, TriangleAlert } from 'lucide-react';
import type { RegistrationCheck } from '../../domain/marksheets/registration.ts';

const LOOKS = {
  met: { Icon: Check, className: 'text-fg-2', state: 'In order' },
  'if-passed': { Icon: Clock, className: 'text-fg-2', state: 'Waits for a result' },
  warn: { Icon: TriangleAlert, className: 'text-warn', state: 'Needs a reason' },
  refused: { Icon: CircleX, className: 'text-danger-text', state: 'Refused' },
} as const satisfies Record<RegistrationCheck['state'], object>;

/** What the checks of a student for a course say, a line each. */
export function CheckTexts({ checks }: { checks: readonly RegistrationCheck[] }) {
  return checks.map(({ rule, state, text }) => {
    const { Icon, className, state: label } = LOOKS[state];
    return (
      <p key={`${rule} ${text}`} className={`flex items-start gap-1.5 text-label ${className}`}>
        <Icon aria-label={label} className="mt-0.5 size-3.5 shrink-0" />
        <span className="wrap-anywhere">{rule === 'hold' ? `Registration is blocked: ${text}.` : text}</span>
      </p>
    );
  });
}
