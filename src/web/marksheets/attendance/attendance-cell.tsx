import { ShieldCheck } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { formatDay } from '../../lib/format.ts';
import { fullName } from '../../students/student-format.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { type AttendanceText, shortenAttendance } from './attendance-text.ts';
import type { AttendanceEditor, AttendanceView, Part } from './use-attendance-editing.ts';

/** What a part of a row says beside its text. */
export interface PartFacts {
  /** Two decimals; null where nothing was held or nothing is known. */
  percent: number | null;
  isShort: boolean;
  /** How many of those held reach the minimum; null without a count. */
  needed: number | null;
}

interface AttendanceCellProps {
  row: SheetRowReply;
  part: Part;
  view: AttendanceView;
  facts: PartFacts;
  /** How many were held for most students: a text with the same count is shown without it. */
  held: number | null;
  editor: AttendanceEditor;
  isReadOnly: boolean;
  /** Takes what was typed. */
  onType: (studentId: string, part: Part, text: string) => void;
}

/** What a student attended of the theory or the lab, as a field or as a text. */
export const AttendanceCell = memo(function AttendanceCell({
  row,
  part,
  view,
  facts,
  held,
  editor,
  isReadOnly,
  onType,
}: AttendanceCellProps) {
  const noteId = useId();
  const text = view.kind === 'wrong' ? view.text : shortenAttendance(view.text, held);
  const { percent, isShort } = facts;
  const hasNote = view.kind === 'wrong' || view.kind === 'conflict';
  return (
    <span className="inline-grid justify-items-end gap-1">
      <span
        className={classNames('inline-flex items-center gap-x-2', isShort && 'attendance-short')}
        title={isShort ? neededText(facts, view.text) : undefined}
      >
        <span className="min-w-12 text-fg-3 md:hidden">{part.name}</span>
        {row.attendance?.condoned && isShort && <Condoned condoned={row.attendance.condoned} />}
        {isReadOnly ? (
          <span>{text === '' ? '--' : text}</span>
        ) : (
          <>
            <AttendanceField
              row={row}
              part={part}
              view={view}
              text={text}
              noteId={hasNote ? noteId : undefined}
              onType={onType}
            />
            <span className="print-only">{text}</span>
          </>
        )}
        <span className="attendance-percent">
          {percent === null || view.text.endsWith('%') ? '' : percent.toFixed(2)}
        </span>
        {isShort && <span className="sr-only">short</span>}
      </span>
      {view.kind === 'wrong' && <FieldError id={noteId}>{view.fault}</FieldError>}
      {view.kind === 'conflict' && (
        <Conflict
          id={noteId}
          stored={view.stored}
          text={view.text}
          onTake={() => editor.discard([toAddress(row, part)])}
          onKeep={() => editor.keepMine(toAddress(row, part))}
        />
      )}
    </span>
  );
});

const toAddress = ({ student_id }: SheetRowReply, { component_id }: Part) => ({
  studentId: student_id,
  componentId: component_id,
});

function neededText({ needed }: PartFacts, text: string): string | undefined {
  return needed === null ? undefined : `${needed} of ${text.split('/')[1]} are needed`;
}

function Condoned({
  condoned,
}: {
  condoned: NonNullable<NonNullable<SheetRowReply['attendance']>['condoned']>;
}) {
  const text = `Condoned by ${condoned.by.name} on ${formatDay(condoned.at)}: ${condoned.reason}`;
  return (
    <span title={text}>
      <ShieldCheck className="size-3.5 text-fg-3" aria-hidden />
      <span className="sr-only">{text}</span>
    </span>
  );
}

interface ConflictProps {
  id: string;
  stored: AttendanceText;
  text: string;
  onTake: () => void;
  onKeep: () => void;
}

/** What somebody else has entered and what was typed here, and the choice between them. */
function Conflict({ id, stored, text, onTake, onKeep }: ConflictProps) {
  return (
    <span id={id} className="grid justify-items-end gap-1.5 text-label text-warn">
      {`Somebody else has entered ${stored ?? 'nothing'}. You typed ${text || 'nothing'}.`}
      <span className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onTake}>{`Take ${stored ?? 'empty'}`}</Button>
        <Button size="sm" onClick={onKeep}>{`Keep ${text || 'empty'}`}</Button>
      </span>
    </span>
  );
}

interface AttendanceFieldProps extends Pick<AttendanceCellProps, 'row' | 'part' | 'view' | 'onType'> {
  /** As it is shown. */
  text: string;
  /** Of what is wrong with it. */
  noteId: string | undefined;
}

function AttendanceField({ row, part, view, text, noteId, onType }: AttendanceFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setTyped(text);
  }, [text]);
  // What a step back or a paste has put here is replaced by the next key, as when the field is entered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each text.
  useLayoutEffect(() => {
    if (!isTyping.current && document.activeElement === field.current) field.current?.select();
  }, [typed]);
  const leave = () => {
    if (!isTyping.current) return;
    isTyping.current = false;
    onType(row.student_id, part, typed);
    setTyped(typed.trim());
  };
  const takeTyped = useRef(leave);
  useLayoutEffect(() => {
    takeTyped.current = leave;
  });
  // A field that goes loses no focus.
  useLayoutEffect(() => () => takeTyped.current(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isTyping.current) return;
    const isOwnUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
    if (isOwnUndo) event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    isTyping.current = false;
    setTyped(text);
  };
  return (
    <input
      ref={field}
      aria-label={`${part.name}, ${fullName(row)}`}
      data-attendance={part.part}
      data-student={row.student_id}
      data-kind={view.kind}
      className="attendance-input screen-only"
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      aria-invalid={view.kind === 'wrong' ? true : undefined}
      aria-describedby={noteId}
      value={typed}
      onChange={(event) => {
        isTyping.current = true;
        setTyped(event.target.value);
      }}
      onFocus={(event) => event.target.select()}
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  );
}
