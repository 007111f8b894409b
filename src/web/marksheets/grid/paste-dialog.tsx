import { useEffect, useMemo, useRef, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { TypedCell } from './model/mark-editor.ts';
import {
  byUrgency,
  findDash,
  initialChoices,
  isMisfit,
  isNamed,
  leftOutTexts,
  type Pasted,
  type PastedMark,
  type PasteTarget,
  planPaste,
  toCells,
} from './model/paste.ts';

interface PasteDialogProps {
  pasted: Pasted;
  target: PasteTarget;
  /** What one is called. */
  noun?: string;
  onPaste: (cells: TypedCell[]) => void;
  onClose: () => void;
}

/** Marks that are listed; what is at fault comes first. */
const MAX_LISTED = 150;

/** Shows where pasted marks go and what they replace, before they do. */
export function PasteDialog({ pasted, target, noun = 'mark', onPaste, onClose }: PasteDialogProps) {
  const marks = (count: number) => plural(count, noun);
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s to paste`;
  const dialog = useRef<HTMLDialogElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const [choices, setChoices] = useState(() => initialChoices(pasted, target));
  const plan = useMemo(() => planPaste(pasted, target, choices), [pasted, target, choices]);
  const shown = useMemo(() => byUrgency(plan).slice(0, MAX_LISTED), [plan]);
  const fitting = plan.filter(({ fault }) => fault === undefined);
  const otherNames = fitting.filter(({ otherName }) => otherName !== undefined).length;
  const left = plan.length - fitting.length;
  const isOff = isMisfit(plan, choices);
  const dash = findDash(pasted);
  const { length } = pasted.table;
  // The answer, so that Enter gives it; what the dialog opened with stays in sight.
  useEffect(() => buttons.current?.querySelector<HTMLElement>('button:last-child:enabled')?.focus(), []);
  const paste = () => {
    onPaste(toCells(fitting));
    dialog.current?.close();
  };
  return (
    <TaskDialog
      dialog={dialog}
      title={`Paste ${plural(length, 'row')}?`}
      isRunning={false}
      isLarge
      onClose={onClose}
    >
      <div className="-mt-2 grid gap-2.5 px-5 pb-3">
        <p className="text-fg-2">
          {choices.by === 'id'
            ? `Each ${noun} goes to the student whose CMS ID is in its row.`
            : `Each ${noun} goes to the cell at its place, from the chosen one on.`}
        </p>
        {isOff && (
          <Alert tone="warn">
            {plan.length === 0
              ? `No column has ${noun}s.`
              : 'These rows do not fit the place where they were pasted. All of them may belong elsewhere: look at them before you paste any.'}
          </Alert>
        )}
        <LeftOut texts={leftOutTexts(pasted)} />
      </div>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 px-5 pb-4">
        {!isNamed(pasted) && (
          <SelectField
            name="paste-into"
            label="Into"
            value={String(choices.column)}
            onChange={(to) => setChoices({ ...choices, column: Number(to) })}
            options={target.components.map(({ name }, i) => ({ value: String(i), label: name }))}
            className="min-w-48 flex-1"
          />
        )}
        {pasted.found.idColumn !== undefined && (
          <SegmentedControl
            label="Match by"
            value={choices.by}
            options={[
              { value: 'id', label: 'CMS ID' },
              { value: 'place', label: 'Position' },
            ]}
            onChange={(by) => setChoices({ ...choices, by })}
          />
        )}
        {dash !== undefined && (
          <CheckBox
            isChecked={choices.takesDashes}
            onChange={(takesDashes) => setChoices({ ...choices, takesDashes })}
            className="text-label"
          >
            {`“${dash}” is absent (A)`}
          </CheckBox>
        )}
      </div>
      <section
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="mx-5 min-h-32 overflow-auto rounded-panel border border-line"
      >
        <Table
          label={title}
          columns={COLUMNS}
          rows={shown}
          // An ID can occur twice, and the list does not change.
          rowKey={(_, index) => index}
          rowClass={toneClass}
          isCompact
        />
        {plan.length > shown.length && (
          <p className="px-4 py-2 text-fg-3 text-label">{`and ${marks(plan.length - shown.length)} more`}</p>
        )}
      </section>
      <div ref={buttons} className="flex flex-wrap items-center gap-2 px-5 py-4">
        <p role="status" className="min-w-40 flex-1 text-fg-3 text-label">
          {`${plural(fitting.length, `${noun} fits`, `${noun}s fit`)}${
            left > 0 ? `, ${plural(left, 'is', 'are')} left out` : ''
          }. ${otherNames > 0 ? `${marks(otherNames)} with another name. ` : ''}One undo takes all of them back.`}
        </p>
        {isOff ? (
          <>
            <Button variant="quiet" disabled={fitting.length === 0} onClick={paste}>
              {`Paste ${marks(fitting.length)} anyway`}
            </Button>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          </>
        ) : (
          <>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
            <Button variant="primary" disabled={fitting.length === 0} onClick={paste}>
              {`Paste ${marks(fitting.length)}`}
            </Button>
          </>
        )}
      </div>
    </TaskDialog>
  );
}

function LeftOut({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return <p className="wrap-anywhere text-fg-3 text-label">{`Left out: ${texts.join('; ')}.`}</p>;
}

const replacesMark = ({ isChange, before }: PastedMark) => isChange && before !== '';

function toneClass(mark: PastedMark): string | undefined {
  if (mark.fault !== undefined) return 'bg-danger-soft';
  return replacesMark(mark) || mark.otherName !== undefined ? 'bg-warn-soft' : undefined;
}

const COLUMNS: readonly Column<PastedMark>[] = [
  { head: 'CMS ID', className: 'wrap-anywhere', cell: ({ id }) => id },
  {
    head: 'Student',
    className: 'wrap-anywhere',
    cell: ({ row, otherName, fault }) => (
      <>
        {row !== undefined && <span className="strong">{row.name} </span>}
        {otherName !== undefined && (
          <span className="text-label text-warn">{`Pasted with the name ${otherName}. `}</span>
        )}
        {fault !== undefined && <span className="text-danger-text text-label">{fault}</span>}
      </>
    ),
  },
  { head: 'Component', className: 'wrap-anywhere', cell: ({ component }) => component?.name },
  {
    head: 'Now',
    isNumber: true,
    cell: (mark) => (replacesMark(mark) ? <del>{mark.before}</del> : mark.before),
  },
  {
    head: 'New',
    isNumber: true,
    className: 'strong',
    cell: ({ after, pasted }) => (
      <>
        {after || <span className="font-normal text-fg-3">empty</span>}
        {after === 'A' && pasted.length > 1 && (
          <span className="font-normal text-fg-3 text-label">{` ${pasted}`}</span>
        )}
      </>
    ),
  },
];
