import { useEffect, useRef } from 'react';
import { SUBJECT_COUNT } from '../../domain/student.ts';
import type { StoredValues } from '../forms/changed-elsewhere.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { useStaleEdit } from '../forms/use-stale-edit.ts';
import { flash } from '../shell/flash.tsx';
import { fromFormValues, toFormValues } from './form-values.ts';
import { semesterErrorText } from './semester-error-text.ts';
import { placeOf, SEMESTER_FIELDS, toSemesterBody } from './semester-fields.ts';
import { SemesterFoot } from './semester-foot.tsx';
import { SemesterRail } from './semester-rail.tsx';
import { SubjectCount } from './subject-count.tsx';
import { SubjectList } from './subject-list.tsx';
import {
  changeSlots,
  isEmptySlot,
  rowsBeyondTheLast,
  type SlotAction,
  type SubjectSlot,
  shownCount,
} from './subject-slots.ts';

const LABELS = Object.fromEntries(SEMESTER_FIELDS.map(({ name, label }) => [name, label]));
const TOO_MANY = `${SUBJECT_COUNT} is the maximum number of subjects per semester`;

const withVersion = (slots: readonly SubjectSlot[], version = ''): StoredValues<string> => ({
  ...toFormValues(slots),
  version,
});

interface SemesterFormProps {
  semester: number;
  lastSemester: number;
  draftKey: string;
  initial: readonly SubjectSlot[];
  submitLabel: string;
  /** The person comes from the semester before, so the focus is taken along. */
  followsAnother: boolean;
  /** The version that the recorded semester was read with. */
  version?: string | undefined;
  /** Reads the semester as it is stored now, after somebody else has saved it. */
  readAgain?: () => Promise<{ slots: readonly SubjectSlot[]; version: string | undefined }>;
  /** The way on without saving, offered as long as nothing stands here. */
  onLater?: (() => void) | undefined;
  /** Saves the fields of the subjects and throws what the server refuses. */
  onSave: (fields: Record<string, string>, ifMatch: string | undefined) => Promise<void>;
}

/** The results of one semester. Give it a `key` of its own for each semester. */
export function SemesterForm(props: SemesterFormProps) {
  const { semester, draftKey, initial, followsAnother, version, readAgain } = props;
  const start = withVersion(initial, version);
  const form = useDraftForm({ draftKey, initial: start, rewrite: semesterErrorText });
  const edit = useStaleEdit<string>(form, {
    initial: start,
    readAgain: async () => {
      const now = await readAgain?.();
      return withVersion(now?.slots ?? initial, now?.version);
    },
    partOf: placeOf,
  });
  const slots = fromFormValues(form.values);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!followsAnother) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [followsAnother]);

  const act = (action: SlotAction) => {
    const isTooMany =
      (action.type === 'paste' && rowsBeyondTheLast(slots, action.index, action.rows) > 0) ||
      (action.type === 'setCount' && action.count > SUBJECT_COUNT) ||
      (action.type === 'putBack' && !slots.some(isEmptySlot));
    if (isTooMany) flash(TOO_MANY, 'warning');
    form.setValues(toFormValues(changeSlots(slots, action)));
    if (action.type === 'remove') offerUndo(action.index);
  };
  // What is typed between the removal and its undoing stays; a semester that has been left stays as it is.
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

  const { onLater } = props;
  const leave = () => {
    form.discardDraft();
    onLater?.();
  };

  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={start} stale={edit.stale} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(() => edit.save((ifMatch) => props.onSave(toSemesterBody(slots), ifMatch)));
        }}
      >
        <section className="border-line border-t pt-5 pb-6">
          <div className="mb-4 flex flex-wrap items-center gap-x-10 gap-y-4">
            <h2 ref={heading} tabIndex={-1} className="text-[1.125rem]">
              Semester {semester}
            </h2>
            <SemesterRail semester={semester} last={props.lastSemester} />
            <SubjectCount count={shownCount(slots)} onCount={(count) => act({ type: 'setCount', count })} />
          </div>
          <SubjectList slots={slots} errors={form.errors} onAction={act} />
        </section>
        <SemesterFoot
          slots={slots}
          submitLabel={props.submitLabel}
          isProcessing={form.isProcessing}
          onLater={onLater && slots.every(isEmptySlot) ? leave : undefined}
        />
      </form>
    </>
  );
}
