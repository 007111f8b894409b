import { Minus, Plus } from 'lucide-react';
import { BOUNDARY_LETTERS } from '../../../domain/grading/policy-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { beyondText, markText } from './scheme/scheme.ts';
import { studentsAndShare } from './scheme/scheme-words.ts';
import type { SchemeEditor } from './scheme/use-scheme.ts';

/** Smaller steps would take too many taps. */
const SMALLEST_TAP = 0.1;

/** Moves the chosen boundary on touch screens, where a finger covers its handle. */
export function BoundaryStepper({ editor, index }: { editor: SchemeEditor; index: number }) {
  const { scheme, result, move } = editor;
  const [letter, boundary] = [BOUNDARY_LETTERS[index], scheme.boundaries?.[index]];
  if (letter === undefined || boundary === undefined || result === null) return null;
  const tap = Math.max(scheme.step, SMALLEST_TAP);
  const group = `taps on ${letter}`;
  return (
    <div className="grading-stepper">
      <IconButton large label={`${letter}: ${tap} lower`} onClick={() => move(index, boundary - tap, group)}>
        <Minus strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <p>
        <b>{`${letter} from ${beyondText(boundary) ?? markText(boundary)}`}</b>
        {studentsAndShare(result, letter)}
      </p>
      <IconButton large label={`${letter}: ${tap} higher`} onClick={() => move(index, boundary + tap, group)}>
        <Plus strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
