import { CircleAlert, Equal, PencilLine, Plus } from 'lucide-react';
import type { ImportRowState } from '../../../contract/imports.ts';
import { Tag } from '../../ui/tag.tsx';

export const ROW_STATES = {
  create: { name: 'New', Icon: Plus, tone: 'ok' },
  update: { name: 'Changed', Icon: PencilLine, tone: 'ink' },
  unchanged: { name: 'Unchanged', Icon: Equal, tone: 'neutral' },
  refused: { name: 'Refused', Icon: CircleAlert, tone: 'danger' },
} as const satisfies Record<ImportRowState, unknown>;

/** Whether the import creates, updates, keeps or refuses a row. */
export function RowStateTag({ state }: { state: ImportRowState }) {
  const { name, Icon, tone } = ROW_STATES[state];
  return (
    <Tag tone={tone} icon={<Icon />}>
      {name}
    </Tag>
  );
}
