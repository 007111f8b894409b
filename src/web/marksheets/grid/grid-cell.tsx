import { type Ref, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { cellText } from './model/cell-text.ts';
import type { CellView } from './model/unsent-cells.ts';

const WORDS: Readonly<Record<string, string>> = { A: 'absent', E: 'excused' };

/** The text of a cell and the marks of its state. */
export function CellContent({ view }: { view: CellView }) {
  if (view.kind === 'conflict') {
    return (
      <>
        <del className="text-fg-3">{cellText(view.stored) || 'empty'}</del>{' '}
        <span>{view.text || 'empty'}</span>
      </>
    );
  }
  const word = view.kind === 'wrong' ? undefined : WORDS[view.text];
  return (
    <>
      {word !== undefined && <span className="marks-word">{word}</span>} {view.text}
    </>
  );
}

interface CellEditorProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  /** The text that the field begins with. */
  text: string;
  onBlur: () => void;
}

/** The field in the current cell. The grid handles its keys. */
export function CellEditor({ ref, label, text, onBlur }: CellEditorProps) {
  return (
    <input
      ref={ref}
      aria-label={label}
      defaultValue={text}
      inputMode="decimal"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={20}
      className="marks-input"
      onBlur={onBlur}
    />
  );
}

interface CellNoteProps {
  id: string;
  view: CellView;
  /** Above the cell, near the lower edge of the grid. */
  isAbove: boolean;
  isReadOnly: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** The fault of the current cell; with a conflict, both values and the choice between them. */
export function CellNote({ id, view, isAbove, isReadOnly, onKeep, onTake }: CellNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  if (view.kind === 'wrong') {
    return (
      <div ref={note} id={id} className="marks-note" data-above={isAbove ? '' : undefined}>
        {view.fault}
      </div>
    );
  }
  if (view.kind !== 'conflict') return null;
  const stored = cellText(view.stored);
  return (
    <div ref={note} id={id} className="marks-note marks-note-choice" data-above={isAbove ? '' : undefined}>
      <p>
        {`Somebody else ${stored === '' ? 'emptied this cell' : `entered ${stored}`}. You ${
          view.text === '' ? 'emptied it' : `typed ${view.text}`
        }.`}
      </p>
      {!isReadOnly && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          <Button size="sm" onClick={onTake}>
            {`Take ${stored || 'empty'}`}
          </Button>
          <Button size="sm" onClick={onKeep}>
            {`Keep ${view.text || 'empty'}`}
          </Button>
        </p>
      )}
    </div>
  );
}
