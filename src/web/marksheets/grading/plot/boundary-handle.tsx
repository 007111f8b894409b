import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { BOUNDARY_LETTERS } from '../../../../domain/grading/policy-text.ts';
import { beyondText, boundaryLimits, markText, snapDrag } from '../scheme/scheme.ts';
import { studentsAndShare } from '../scheme/scheme-labels.ts';
import type { SchemeEditor } from '../scheme/use-scheme.ts';

/** Marks that the keys with a long reach move by. */
const PAGE_MARKS = 5;

interface BoundaryHandleProps {
  editor: SchemeEditor;
  boundaries: readonly number[];
  index: number;
  boundary: number;
  /** In per cent of the plot. */
  place: number;
  /** The distance from the plot, in pixels. */
  top: number;
  marksPerPixel: number;
  isReadOnly: boolean;
  isActive: boolean;
  onActivate: () => void;
  onDrag: (isDragging: boolean) => void;
}

/** The value of a boundary, hanging below it: dragged, or moved by keys. */
export function BoundaryHandle(props: BoundaryHandleProps) {
  const { editor, boundaries, index, boundary, isReadOnly, isActive, onActivate, onDrag } = props;
  const { scheme, move, result } = editor;
  const letter = BOUNDARY_LETTERS[index] ?? 'A';
  const drag = useRef<{ x: number; from: number; group: string } | null>(null);
  /** Moves until the focus leaves are undone together. */
  const keyGroup = useRef('');
  const { min, max } = boundaryLimits(boundaries, index, scheme.step);
  const who = beyondText(boundary) ?? markText(boundary);

  const start = (event: PointerEvent<HTMLDivElement>) => {
    if (isReadOnly || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, from: boundary, group: editor.newGroup() };
    onActivate();
    onDrag(true);
  };
  const drags = (event: PointerEvent) => {
    if (drag.current === null) return;
    const { x, from, group } = drag.current;
    const moved = (event.clientX - x) * props.marksPerPixel;
    if (moved !== 0) move(index, snapDrag(from + moved, scheme.step), group);
  };
  const end = () => {
    drag.current = null;
    onDrag(false);
  };
  const press = (event: KeyboardEvent) => {
    const to = getTarget(event, { boundary, min, max, step: scheme.step });
    if (isReadOnly || to === undefined) return;
    event.preventDefault();
    move(index, to, keyGroup.current);
  };

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Lowest total for ${letter}`}
      aria-valuenow={boundary}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={result === null ? who : `${who}, ${studentsAndShare(result, letter)}`}
      aria-readonly={isReadOnly || undefined}
      className="grading-handle"
      data-on={isActive ? '' : undefined}
      style={{ insetInlineStart: `${props.place}%`, insetBlockStart: props.top }}
      onPointerDown={start}
      onPointerMove={drags}
      onPointerUp={end}
      onPointerCancel={end}
      onFocus={() => {
        keyGroup.current = editor.newGroup();
        onActivate();
      }}
      onKeyDown={press}
    >
      <span className="grading-stem" style={{ height: props.top + 6 }} aria-hidden="true" />
      {who}
    </div>
  );
}

interface Reach {
  boundary: number;
  min: number;
  max: number;
  step: number;
}

/** Where a key moves a boundary to; undefined for other keys. */
function getTarget(
  { key, shiftKey }: KeyboardEvent,
  { boundary, min, max, step }: Reach,
): number | undefined {
  const one = shiftKey ? 1 : step;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return boundary + one;
    case 'ArrowLeft':
    case 'ArrowDown':
      return boundary - one;
    case 'PageUp':
      return boundary + PAGE_MARKS;
    case 'PageDown':
      return boundary - PAGE_MARKS;
    case 'Home':
      return min;
    case 'End':
      return max;
    default:
      return undefined;
  }
}
