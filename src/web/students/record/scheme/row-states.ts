import {
  ArrowLeftRight,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  Clock,
  type LucideIcon,
} from 'lucide-react';
import type { AuditReply } from '../../../../contract/schemes/audit.ts';
import { isLacking, type RowState } from '../../../../domain/schemes/audit.ts';
import type { NeedKind } from '../../../../domain/schemes/scheme.ts';
import { plural } from '../../../lib/format.ts';

export const STATE_LOOKS: Readonly<Record<RowState, { name: string; Icon: LucideIcon; tone: string }>> = {
  passed: { name: 'Passed', Icon: CircleCheck, tone: 'text-ok' },
  substituted: { name: 'Substituted', Icon: ArrowLeftRight, tone: 'text-ok' },
  waived: { name: 'Waived', Icon: CircleSlash, tone: 'text-fg-2' },
  'in-progress': { name: 'In progress', Icon: Clock, tone: 'text-ink-text' },
  failed: { name: 'Failed', Icon: CircleX, tone: 'text-danger-text' },
  open: { name: 'Open', Icon: CircleDashed, tone: 'text-fg-2' },
};

type Rows = AuditReply['rows'];

export const countState = (rows: Rows, state: RowState): number =>
  rows.filter((row) => row.state === state).length;

/** Such as `5 passed, 1 waived`. */
export const statesText = (rows: Rows): string =>
  Object.entries(STATE_LOOKS)
    .map(([state, { name }]) => ({ count: rows.filter((row) => row.state === state).length, name }))
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${count} ${name.toLowerCase()}`)
    .join(', ');

/** What is missing for the degree, in a sentence for the whole and one for its parts. */
export function verdictTexts({ complete, rows, missing_credits }: AuditReply): [string, string] {
  const lacking = rows.filter(({ state }) => isLacking(state)).length;
  const parts = (['failed', 'in-progress', 'open'] as const)
    .map((state) => ({ count: countState(rows, state), name: STATE_LOOKS[state].name.toLowerCase() }))
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${count} ${count === 1 ? 'is' : 'are'} ${name}`);
  const further =
    missing_credits === 0
      ? ''
      : `${plural(missing_credits, 'further credit has', 'further credits have')} to come from extra courses.`;
  const verdict = complete
    ? 'Complete: no row is lacking.'
    : `Not complete: ${lacking} of ${plural(rows.length, 'row')} ${lacking === 1 ? 'is' : 'are'} lacking.`;
  return [
    verdict,
    [...(parts.length > 0 ? [`${parts.join(', ')}.`] : []), further].filter(Boolean).join(' '),
  ];
}

const verbFor = (codes: readonly string[]) => (codes.length === 1 ? 'has' : 'have');

/** `EE-101 has to be passed before, EE-117 passed or taken beside it`. */
export function missingText(missing: readonly { code: string; kind: NeedKind }[]): string {
  const codes = (of: NeedKind) => missing.flatMap(({ code, kind }) => (kind === of ? code : []));
  const [before, beside] = [codes('before'), codes('beside')];
  return [
    ...(before.length > 0 ? [`${joinAnd(before)} ${verbFor(before)} to be passed before`] : []),
    ...(beside.length > 0
      ? [`${joinAnd(beside)} ${verbFor(beside)} to be passed before or taken in the same term`]
      : []),
  ].join('; ');
}

const joinAnd = (codes: readonly string[]) => new Intl.ListFormat('en').format(codes);
