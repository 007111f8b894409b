import { FilePenLine, Lock, Pencil, Send } from 'lucide-react';
import type { SheetListItem } from '../../contract/marksheets/sheets.ts';
import { Tag } from '../ui/tag.tsx';
import { STATE_NAMES } from './sheet-labels.ts';

/** The state of a sheet in words; that of a rectification as well, and that it was rectified. */
export function SheetStateTag({
  sheet: { state, rectifies, rectified_by },
}: {
  sheet: Pick<SheetListItem, 'state' | 'rectifies' | 'rectified_by'>;
}) {
  if (state === 'confirmed' && rectified_by !== null) {
    return (
      <Tag tone="warn" icon={<FilePenLine aria-hidden="true" />}>
        Rectified
      </Tag>
    );
  }
  const Icon = { draft: Pencil, submitted: Send, confirmed: Lock }[state];
  const tone = ({ draft: 'neutral', submitted: 'ink', confirmed: 'ok' } as const)[state];
  return (
    <Tag tone={tone} icon={<Icon aria-hidden="true" />}>
      {rectifies === null ? STATE_NAMES[state] : `Rectification, ${STATE_NAMES[state].toLowerCase()}`}
    </Tag>
  );
}
