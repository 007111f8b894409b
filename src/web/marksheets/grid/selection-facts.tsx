import { commandShortcut } from '../../lib/keyboard-shortcuts.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { type Selection, toArea } from './model/selection.ts';
import type { Column, ShownRow } from './model/shown-rows.ts';

const KEYS = [
  ['Enter', 'down'],
  ['Tab', 'right'],
  ['A', 'absent'],
  ['E', 'excused'],
  [commandShortcut('D'), 'fill down'],
  [commandShortcut('Z'), 'undo'],
  ['Esc', 'leave'],
] as const;

interface SelectionFactsProps {
  rows: readonly ShownRow[];
  columns: readonly Column[];
  selection: Selection;
  isReadOnly: boolean;
}

/** Count, mean and sum of the selected cells, and the keyboard shortcuts. */
export function SelectionFacts({ rows, columns, selection, isReadOnly }: SelectionFactsProps) {
  const { top, bottom, left, right } = toArea(selection);
  const count = (bottom - top + 1) * (right - left + 1);
  const marks = rows
    .slice(top, bottom + 1)
    .flatMap(({ cells }) =>
      columns.slice(left, right + 1).map(({ component }) => cells[component.component_id]),
    )
    .filter((cell) => typeof cell === 'number');
  const sum = marks.reduce((all, mark) => all + Math.round(mark * 100), 0) / 100;
  return (
    <div className="marks-foot screen-only">
      <span>
        {count > 1 && (
          <>
            {left === right && <b className="font-[580] text-fg">{columns[left]?.component.name}, </b>}
            {`${count} cells`}
            {marks.length > 0 && ` · mean ${(sum / marks.length).toFixed(2)} · sum ${sum}`}
          </>
        )}
      </span>
      {!isReadOnly && (
        <span className="marks-keys ms-auto flex flex-wrap gap-x-4">
          {KEYS.map(([key, act]) => (
            <span key={key} className="inline-flex items-center gap-1.25 text-caption">
              <Kbd>{key}</Kbd> {act}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}
