import { useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import type { TypedCell } from './model/mark-editor.ts';
import { hasIds, type PastedMark, type PasteTarget, planById, planByPlace } from './model/paste.ts';

interface PasteDialogProps {
  table: readonly (readonly string[])[];
  target: PasteTarget;
  onPaste: (cells: TypedCell[]) => void;
  onClose: () => void;
}

const marks = (count: number) => `${count} ${count === 1 ? 'mark' : 'marks'}`;

/** Shows where pasted marks go and what they replace, before they do. */
export function PasteDialog({ table, target, onPaste, onClose }: PasteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const mayHaveIds = table.some((row) => row.length > 1);
  const [by, setBy] = useState<'id' | 'place'>(() => (hasIds(table, target.rows) ? 'id' : 'place'));
  const [column, setColumn] = useState(target.column);
  const plan = useMemo(() => {
    const into = { ...target, column };
    return by === 'id' ? planById(table, into) : planByPlace(table, into);
  }, [by, column, table, target]);
  const fitting = plan.filter(({ fault }) => fault === undefined);
  const left = plan.length - fitting.length;
  const paste = () => {
    onPaste(toCells(fitting));
    dialog.current?.close();
  };
  return (
    <TaskDialog
      dialog={dialog}
      title={`Paste ${table.length} ${table.length === 1 ? 'row' : 'rows'}?`}
      isRunning={false}
      isLarge
      onClose={onClose}
    >
      <p className="-mt-2 px-5 pb-3 text-fg-2">
        {by === 'id'
          ? 'The first column holds CMS IDs: each mark goes to its student.'
          : 'Each mark goes to the cell at its place, from the chosen one on.'}
      </p>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 px-5 pb-4">
        <SelectField
          name="paste-into"
          label="Into"
          value={String(column)}
          onChange={(to) => setColumn(Number(to))}
          options={target.components.map(({ name }, i) => ({ value: String(i), label: name }))}
          className="min-w-48 flex-1"
        />
        {mayHaveIds && (
          <SegmentedControl
            label="Match by"
            value={by}
            options={[
              { value: 'id', label: 'CMS ID' },
              { value: 'place', label: 'Position' },
            ]}
            onChange={setBy}
          />
        )}
      </div>
      <section
        aria-label="Marks to paste"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="mx-5 min-h-32 overflow-auto rounded-panel border border-line"
      >
        <table className="tbl tbl-compact paste-table">
          <thead>
            <tr>
              <th scope="col">CMS ID</th>
              <th scope="col">Student</th>
              <th scope="col">Component</th>
              <th scope="col" className="num">
                Now
              </th>
              <th scope="col" className="num">
                New
              </th>
            </tr>
          </thead>
          <tbody>
            {plan.map((mark, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an ID can occur twice, and the list does not change.
              <PastedRow key={i} mark={mark} />
            ))}
          </tbody>
        </table>
      </section>
      <div className="flex flex-wrap items-center gap-2 px-5 py-4">
        <p role="status" className="min-w-40 flex-1 text-fg-3 text-label">
          {`${marks(fitting.length)} ${fitting.length === 1 ? 'fits' : 'fit'}${
            left > 0 ? `, ${left} ${left === 1 ? 'is' : 'are'} left out` : ''
          }. One undo takes all of them back.`}
        </p>
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button variant="primary" disabled={fitting.length === 0} onClick={paste}>
          {`Paste ${marks(fitting.length)}`}
        </Button>
      </div>
    </TaskDialog>
  );
}

export const toCells = (plan: readonly PastedMark[]): TypedCell[] =>
  plan.flatMap(({ row, component, after, fault }) =>
    row === undefined || component === undefined || fault !== undefined
      ? []
      : [{ studentId: row.studentId, componentId: component.component_id, text: after }],
  );

function PastedRow({ mark: { id, row, component, before, after, fault, isChange } }: { mark: PastedMark }) {
  const replaces = isChange && before !== '';
  return (
    <tr data-tone={fault !== undefined ? 'danger' : replaces ? 'warn' : undefined}>
      <td className="wrap-anywhere">{id}</td>
      <td className="wrap-anywhere">
        {row !== undefined && <span className="strong">{row.name} </span>}
        {fault !== undefined && <span className="text-danger-text text-label">{fault}</span>}
      </td>
      <td className="wrap-anywhere">{component?.name ?? ''}</td>
      <td className="num">{replaces ? <del>{before}</del> : before}</td>
      <td className="num strong">{after || <span className="font-normal text-fg-3">empty</span>}</td>
    </tr>
  );
}
