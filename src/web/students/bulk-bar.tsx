import { PencilLine, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { StudentFilter } from '../../contract/student-list.ts';
import { useMayWrite } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { countText } from './list-labels.ts';
import { chosenCount, type ListSelection } from './list-selection.ts';

interface BulkBarProps {
  filter: StudentFilter;
  selection: ListSelection;
  /** How many students the filter finds. */
  total: { count: number; is: 'exact' | 'estimate' | 'minimum' };
  /** The selection has served its purpose, or is not wanted any more. */
  onDone: () => void;
  /** What else can be done with the selection. */
  children?: ReactNode;
}

/** As long as students are chosen: how many, and what can be done to all of them. After the list, at the bottom of the window. */
export function BulkBar({ filter, selection, total, onDone, children }: BulkBarProps) {
  const mayWrite = useMayWrite();
  const [task, setTask] = useState<'change' | 'delete'>();
  const count = chosenCount(selection, total.count);
  const chosen = countText(count, selection.kind === 'some' ? 'exact' : total.is);
  if (count === 0 || !mayWrite) return null;
  return (
    <section aria-label="Selected students" className="list-foot">
      <div className="mx-auto flex max-w-[calc(var(--table-max)+2*var(--gutter))] flex-wrap items-center gap-2 px-(--gutter) py-2.5">
        <p role="status" className="font-[560] first-letter:uppercase">
          {chosen.replace(/ students?$/, '')} selected
        </p>
        <Button size="sm" variant="quiet" onClick={onDone}>
          <X strokeWidth={1.75} aria-hidden="true" />
          Clear
        </Button>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {children}
          <Button size="sm" onClick={() => setTask('change')}>
            <PencilLine strokeWidth={1.75} aria-hidden="true" />
            Change
          </Button>
          <Button size="sm" variant="danger-quiet" onClick={() => setTask('delete')}>
            <Trash2 strokeWidth={1.75} aria-hidden="true" />
            Delete
          </Button>
        </div>
      </div>
      {task && (
        <BulkDialog
          task={task}
          chosen={chosen}
          filter={filter}
          selection={selection}
          onClose={() => setTask(undefined)}
          onDone={() => {
            setTask(undefined);
            onDone();
          }}
        />
      )}
    </section>
  );
}
