import type { UseQueryResult } from '@tanstack/react-query';
import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { Policy } from '../../../contract/grading/policies.ts';
import type { Offerings } from '../../../contract/marksheets/grading.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { BOUNDARY_LETTERS } from '../../../domain/grading/policy-text.ts';
import type { BorderlineRow } from '../../../domain/marksheets/letters.ts';
import { formatStudentCount, plural } from '../../lib/format.ts';
import { fullName } from '../../students/student-format.ts';
import { RecordLink } from '../../students/student-link.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { SheetActions } from '../sheet-context.tsx';
import { UndoRedoButtons } from '../undo-redo-buttons.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { LettersTable } from './letters-table.tsx';
import { MethodChoice, MethodFields } from './method-fields.tsx';
import { TotalsPlot, TotalsTable } from './plot/totals-plot.tsx';
import { PolicyNotes } from './policy-notes.tsx';
import { beyondText, markText } from './scheme/scheme.ts';
import { studentsAndShare } from './scheme/scheme-labels.ts';
import { type SchemeEditor, useScheme } from './scheme/use-scheme.ts';
import { useStoreScheme } from './scheme/use-store-scheme.ts';

interface WorkbenchProps {
  sheet: Sheet;
  policy: Policy;
  offerings: UseQueryResult<Offerings>;
  isReadOnly: boolean;
}

/** The totals of a class, its boundaries, and everything that follows from them at once. */
export function Workbench({ sheet, policy, offerings, isReadOnly }: WorkbenchProps) {
  const editor = useScheme(sheet, policy.rules, isReadOnly);
  const store = useStoreScheme(sheet, editor);
  const [active, setActive] = useState<number | null>(null);
  const [barWidth, setBarWidth] = useState(() => (window.innerWidth < 768 ? 5 : 1));
  const { proposal, result, moved, totals } = editor;
  const without = sheet.rows.filter(({ status, total }) => status === 'graded' && total === null).length;

  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isReadOnly || isTyping || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) editor.redo();
    else editor.undo();
  };

  return (
    <div role="none" onKeyDown={onKeyDown}>
      {!isReadOnly && <StoreActions editor={editor} store={store} />}
      {store.problem !== undefined && (
        <Alert tone="warn" className="mb-4">
          <p>{store.problem}</p>
          {store.isConflict && (
            <div className="mt-2.5 flex flex-wrap gap-2">
              <Button size="sm" className="text-fg" onClick={store.takeStored}>
                Use the stored boundaries
              </Button>
              <Button size="sm" className="text-fg" onClick={store.storeAnyway}>
                Store mine in its place
              </Button>
            </div>
          )}
        </Alert>
      )}
      {isReadOnly && <ReadOnlyNote sheet={sheet} />}
      <div className="grading-workbench">
        <div className="min-w-0">
          <div className="mb-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            {isReadOnly ? <span /> : <MethodChoice editor={editor} />}
            <SegmentedControl
              label="Bars of the histogram"
              options={[
                { value: '1', label: '1 mark' },
                { value: '5', label: '5 marks' },
              ]}
              value={String(barWidth)}
              onChange={(value) => setBarWidth(Number(value))}
            />
          </div>
          {!isReadOnly && <MethodFields editor={editor} />}
          {proposal.refused !== null && (
            <Alert tone="warn" className="mt-3">
              <p>{proposal.refused}</p>
              {!isReadOnly && (
                <Button
                  size="sm"
                  className="mt-2.5 text-fg"
                  onClick={() => editor.choose({ method: 'absolute' })}
                >
                  Use fixed boundaries
                </Button>
              )}
            </Alert>
          )}
          <TotalsPlot
            editor={editor}
            barWidth={barWidth}
            isReadOnly={isReadOnly}
            active={active}
            onActivate={setActive}
          />
          {!isReadOnly && active !== null && <BoundaryStepper editor={editor} index={active} />}
          <ul className="grading-legend">
            <li data-kind="boundary">
              {isReadOnly ? 'boundary' : 'boundary: drag, arrow keys, with Shift 1 mark'}
            </li>
            <li data-kind="mean">mean</li>
            {editor.isChanged && <li data-kind="stored">{editor.isStored ? 'as stored' : 'as it was'}</li>}
          </ul>
          <TotalsTable totals={totals} barWidth={barWidth} />
          {without > 0 && (
            <p className="mt-3 text-fg-2 text-label">
              {`${plural(without, 'student has', 'students have')} no total yet and ${without === 1 ? 'is' : 'are'} not counted here.`}
            </p>
          )}
        </div>
        <div className="min-w-0">
          <LettersTable
            editor={editor}
            last={offerings.data?.[0]}
            isReadOnly={isReadOnly}
            active={active}
            onActivate={setActive}
          />
          <PolicyNotes
            policy={policy}
            sheet={sheet}
            warnings={result?.warnings ?? []}
            moved={moved}
            isReadOnly={isReadOnly}
            onPropose={
              proposal.boundaries === null ? undefined : () => editor.setBoundaries(proposal.boundaries ?? [])
            }
            reason={store.reason}
            onReason={store.setReason}
            reasonError={store.reasonError}
            needsReason={store.needsReason}
          />
        </div>
      </div>
      {result !== null && <BorderlineList sheet={sheet} borderline={result.borderline} />}
      <ComparisonTable editor={editor} offerings={offerings} />
    </div>
  );
}

function StoreActions({
  editor,
  store,
}: {
  editor: ReturnType<typeof useScheme>;
  store: ReturnType<typeof useStoreScheme>;
}) {
  return (
    <SheetActions>
      <span role="status" className="text-fg-3 text-label">
        {store.stateText}
      </span>
      <UndoRedoButtons
        canUndo={editor.canUndo}
        canRedo={editor.canRedo}
        onUndo={editor.undo}
        onRedo={editor.redo}
      />
      {editor.isChanged && <Button onClick={store.takeStored}>Discard changes</Button>}
      <Button
        variant="primary"
        processing={store.isRunning}
        // Not `disabled`, which would drop the focus once they are stored.
        aria-disabled={!store.canStore}
        onClick={store.run}
      >
        Save boundaries
      </Button>
    </SheetActions>
  );
}

function ReadOnlyNote({ sheet }: { sheet: Sheet }) {
  const text =
    sheet.rectifies !== null && sheet.state === 'draft'
      ? 'A rectification keeps the boundaries of the sheet that it rectifies.'
      : sheet.state === 'submitted'
        ? 'The sheet is submitted. Its boundaries can be changed after it is taken back.'
        : sheet.state === 'confirmed'
          ? 'The sheet is confirmed. Its boundaries are frozen: a later result gets its letter by them.'
          : 'Only staff change boundaries.';
  return <p className="mb-3 text-fg-2">{text}</p>;
}

/** Smaller steps would take too many taps. */
const SMALLEST_TAP = 0.1;

/** Moves the chosen boundary on touch screens, where a finger covers its handle. */
function BoundaryStepper({ editor, index }: { editor: SchemeEditor; index: number }) {
  const { scheme, result, move } = editor;
  const [letter, boundary] = [BOUNDARY_LETTERS[index], scheme.boundaries?.[index]];
  if (letter === undefined || boundary === undefined || result === null) return null;
  const tap = Math.max(scheme.step, SMALLEST_TAP);
  const group = `taps on ${letter}`;
  return (
    <div className="grading-stepper">
      <IconButton large label={`${letter}: ${tap} lower`} onClick={() => move(index, boundary - tap, group)}>
        <Minus />
      </IconButton>
      <p>
        <b>{`${letter} from ${beyondText(boundary) ?? markText(boundary)}`}</b>
        {studentsAndShare(result, letter)}
      </p>
      <IconButton large label={`${letter}: ${tap} higher`} onClick={() => move(index, boundary + tap, group)}>
        <Plus />
      </IconButton>
    </div>
  );
}

interface BorderlineListProps {
  sheet: Pick<Sheet, 'rows'>;
  borderline: readonly BorderlineRow[];
}

/** Students who miss a better letter by less than 1 mark, the nearest first. */
function BorderlineList({ sheet, borderline }: BorderlineListProps) {
  const names = new Map(sheet.rows.map((row) => [row.student_id, fullName(row)]));
  return (
    <section aria-labelledby="grading-borderline" className="mt-8">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="grading-borderline">Just under a boundary</h2>
        <span className="text-fg-3 text-label">{`${formatStudentCount(borderline.length)} less than 1 mark short`}</span>
      </div>
      {borderline.length > 0 && (
        <ul aria-labelledby="grading-borderline" className="grid gap-x-7 lg:grid-cols-2">
          {borderline
            .toSorted((a, b) => a.short_by - b.short_by)
            .map(({ student_id, total, letter, next_letter, short_by }) => (
              <li
                key={student_id}
                className="flex min-w-0 flex-wrap items-baseline gap-x-3 border-line border-b py-2"
              >
                <span className="min-w-0 flex-1">
                  <RecordLink id={student_id} className="link link-quiet">
                    {names.get(student_id) ?? student_id}
                  </RecordLink>{' '}
                  <span className="text-fg-3 text-label">{student_id}</span>
                </span>
                <span className="text-fg-2 text-label">{`${letter}, ${markText(short_by)} under ${next_letter}`}</span>
                <b className="font-[620]">{markText(total)}</b>
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
