import { FileBadge, PencilLine, Trash2, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { StudentFilter } from '../../../../contract/students/student-list.ts';
import { useCanWrite } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { formatListCount, formatListTotal, type TotalIs } from '../model/labels.ts';
import { type ListSelection, selectedCount } from '../model/selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { toBulkSelection } from './use-bulk.ts';

/* Loaded on demand: documents are issued a few times a year. */
const IssueDialog = lazy(async () => ({
  default: (await import('../../../documents/issue/issue-dialog.tsx')).IssueDialog,
}));

interface BulkBarProps {
  filter: StudentFilter;
  selection: ListSelection;
  /** Number of students that match the filter. */
  total: { count: number; is: TotalIs };
  /** Clears the selection. */
  onDone: () => void;
}

/** The bar at the bottom of the window while students are selected: how many, and the actions on all of them. */
export function BulkBar({ filter, selection, total, onDone }: BulkBarProps) {
  const canWrite = useCanWrite();
  const [task, setTask] = useState<'issue' | 'change' | 'delete'>();
  const count = selectedCount(selection, total.count);
  const countIs = selection.kind === 'some' ? 'exact' : total.is;
  if (count === 0 || !canWrite) return null;
  return (
    <section aria-label="Selected students" className="screen-only list-foot">
      <div className="mx-auto flex max-w-[calc(var(--table-max)+2*var(--gutter))] flex-wrap items-center gap-2 px-(--gutter) py-2.5">
        <p role="status" className="font-[560] first-letter:uppercase">
          {formatListCount(count, countIs)} selected
        </p>
        <Button size="sm" variant="quiet" onClick={onDone}>
          <X />
          Clear
        </Button>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Button size="sm" onClick={() => setTask('issue')}>
            <FileBadge />
            Issue documents
          </Button>
          <Button size="sm" onClick={() => setTask('change')}>
            <PencilLine />
            Change
          </Button>
          <Button size="sm" variant="danger-quiet" onClick={() => setTask('delete')}>
            <Trash2 />
            Delete
          </Button>
        </div>
      </div>
      {task === 'issue' && (
        <Suspense>
          <IssueDialog
            title={`Issue documents for ${formatListTotal(count, countIs)}`}
            students={toBulkSelection(selection, filter)}
            onClose={() => setTask(undefined)}
          />
        </Suspense>
      )}
      {(task === 'change' || task === 'delete') && (
        <BulkDialog
          task={task}
          students={formatListTotal(count, countIs)}
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
