import { type ReactNode, useEffect, useRef } from 'react';
import { SUBJECT_COUNT } from '../../../../domain/student.ts';
import { FormMessages } from '../../../forms/form-messages.tsx';
import type { DraftForm } from '../../../forms/use-draft-form.ts';
import type { EditConflict } from '../../../forms/use-edit-conflict.ts';
import { Button } from '../../../ui/button.tsx';
import { flash } from '../../../ui/flash.tsx';
import { semesterTotals } from './semester-totals.ts';
import { SEMESTER_FIELDS, slotsFromFormValues, slotsToFormValues } from './semester-values.ts';
import { SubjectCount, SubjectList } from './subject-list.tsx';
import {
  isEmptySlot,
  overflowCount,
  type SlotAction,
  type SubjectSlot,
  slotsReducer,
  visibleSlotCount,
} from './subject-slots.ts';

const LABELS = Object.fromEntries(SEMESTER_FIELDS.map(({ name, label }) => [name, label]));
const TOO_MANY = `${SUBJECT_COUNT} is the maximum number of subjects per semester`;

interface SemesterFormProps {
  form: DraftForm<string>;
  /** What the form holds without a draft. */
  initial: Record<string, string>;
  /** What another user has saved since the form was filled. */
  stale?: EditConflict<string> | null;
  semester: number;
  lastSemester: number;
  submitLabel: string;
  /** The form of the previous semester was replaced by this one, which takes the focus. */
  followsAnother: boolean;
  /** Continues without saving; offered while the form is empty. */
  onLater?: (() => void) | undefined;
  onSave: () => Promise<void>;
  /** Buttons for the whole semester. */
  actions?: ReactNode;
}

/** The results of one semester. Give its owner a `key` for each semester. */
export function SemesterForm({
  form,
  initial,
  stale,
  semester,
  lastSemester,
  submitLabel,
  followsAnother,
  onLater,
  onSave,
  actions,
}: SemesterFormProps) {
  const slots = slotsFromFormValues(form.values);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!followsAnother) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [followsAnother]);

  const act = (action: SlotAction) => {
    const isTooMany =
      (action.type === 'paste' && overflowCount(slots, action.index, action.rows) > 0) ||
      (action.type === 'setCount' && action.count > SUBJECT_COUNT) ||
      (action.type === 'putBack' && !slots.some(isEmptySlot));
    if (isTooMany) flash(TOO_MANY, 'warning');
    form.setValues(slotsToFormValues(slotsReducer(slots, action)));
    if (action.type === 'remove') offerUndo(action.index);
  };
  // An undo must keep what was typed since the removal, and must not change a semester that has been left.
  const latestAct = useRef<(action: SlotAction) => void>(undefined);
  useEffect(() => {
    latestAct.current = act;
    return () => {
      latestAct.current = undefined;
    };
  });
  const offerUndo = (index: number) => {
    const subject = slots[index];
    if (subject === undefined || isEmptySlot(subject)) return;
    const putBack = () => {
      if (latestAct.current) latestAct.current({ type: 'putBack', index, subject });
      else flash(`Semester ${semester} has been left since. Edit it to enter the subject again.`, 'warning');
    };
    flash(`Subject ${index + 1} has been removed`, 'done', { label: 'Undo', run: putBack });
  };

  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={initial} stale={stale} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSave();
        }}
      >
        <section className="border-line border-t pt-5 pb-6">
          <div className="mb-4 flex flex-wrap items-center gap-x-10 gap-y-4">
            <h2 ref={heading} tabIndex={-1} className="text-[1.125rem]">
              Semester {semester}
            </h2>
            <SemesterProgress semester={semester} last={lastSemester} />
            <SubjectCount
              count={visibleSlotCount(slots)}
              onCount={(count) => act({ type: 'setCount', count })}
            />
            {actions && <div className="ms-auto">{actions}</div>}
          </div>
          <SubjectList slots={slots} errors={form.errors} onAction={act} />
        </section>
        <SemesterFooter
          slots={slots}
          submitLabel={submitLabel}
          isProcessing={form.isProcessing}
          onLater={slots.every(isEmptySlot) ? onLater : undefined}
        />
      </form>
    </>
  );
}

interface SemesterProgressProps {
  semester: number;
  last: number;
}

/** The semesters to enter, those done and the current one marked. */
function SemesterProgress({ semester, last }: SemesterProgressProps) {
  return (
    <ol className="steps flex min-w-[min(--spacing(45),100%)] max-w-80 flex-1 gap-1" aria-label="Semesters">
      {Array.from({ length: last }, (_, i) => i + 1).map((number) => (
        <li
          key={number}
          data-step={number < semester ? 'done' : number === semester ? 'now' : undefined}
          aria-current={number === semester ? 'step' : undefined}
          className="grid min-w-0 flex-1 gap-1.5 font-medium text-caption text-fg-3 data-[step=done]:text-fg-2 data-[step=now]:font-[640] data-[step=now]:text-fg"
        >
          {number}
        </li>
      ))}
    </ol>
  );
}

interface SemesterFooterProps {
  slots: readonly SubjectSlot[];
  submitLabel: string;
  isProcessing: boolean;
  /** Continues without saving. */
  onLater: (() => void) | undefined;
}

/** The bar of the form, with the totals. Unlike the notes of other forms, they are also shown on small screens. */
function SemesterFooter({ slots, submitLabel, isProcessing, onLater }: SemesterFooterProps) {
  const { subjects, credits, sgpa } = semesterTotals(slots);
  return (
    <div className="form-foot flex flex-wrap items-center gap-2 py-3">
      <p className="min-w-20 flex-1 text-fg-3 text-label [&_b]:font-semibold [&_b]:text-fg">
        <b>{subjects}</b> of {SUBJECT_COUNT} subjects, <b>{credits}</b> credit hours
        {sgpa !== null && (
          <>
            , SGPA <b>{sgpa.toFixed(2)}</b>
          </>
        )}
      </p>
      {onLater && <Button onClick={onLater}>Leave it for later</Button>}
      <Button type="submit" variant="primary" processing={isProcessing} className="ms-auto">
        {submitLabel}
      </Button>
    </div>
  );
}
