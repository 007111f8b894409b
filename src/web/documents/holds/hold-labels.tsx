import { LockKeyhole } from 'lucide-react';
import type { Hold } from '../../../contract/students/holds.ts';
import type { HoldBlock, HoldKind, HoldState } from '../../../domain/holds.ts';
import { formatDate } from '../../lib/format.ts';
import { Tag } from '../../ui/tag.tsx';

export const KIND_NAMES = {
  fees: 'Fees',
  library: 'Library',
  discipline: 'Discipline',
  documents: 'Documents',
  other: 'Other',
} as const satisfies Record<HoldKind, string>;

export const BLOCK_NAMES = {
  'official-documents': 'Official documents',
  'result-card': 'Result cards',
  registration: 'Registration',
  certificate: 'Certificates',
} as const satisfies Record<HoldBlock, string>;

export const HOLD_STATE_NAMES = {
  future: 'Not yet',
  active: 'Active',
  ended: 'Ended',
  released: 'Released',
} as const satisfies Record<HoldState, string>;

/** What a hold blocks, in chips. */
export function BlockTags({ blocks }: Pick<Hold, 'blocks'>) {
  return (
    <span className="flex flex-wrap gap-1">
      {blocks.map((block) => (
        <Tag key={block}>{BLOCK_NAMES[block]}</Tag>
      ))}
    </span>
  );
}

export const KindTag = ({ kind, state }: Pick<Hold, 'kind' | 'state'>) => (
  <Tag tone={state === 'active' ? 'danger' : 'neutral'} icon={<LockKeyhole aria-hidden="true" />}>
    {KIND_NAMES[kind]}
  </Tag>
);

/** Such as `2 November 2026 to 26 February 2027`. */
export const daysText = ({ from, until }: Pick<Hold, 'from' | 'until'>): string =>
  until === null ? formatDate(from) : `${formatDate(from)} to ${formatDate(until)}`;
