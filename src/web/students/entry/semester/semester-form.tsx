import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Student } from '../../../../contract/students/students.ts';
import { slotFieldNames } from '../../../../contract/students/subject-slots.ts';
import { SUBJECT_COUNT } from '../../../../domain/student.ts';
import type { EditConflict } from '../../../forms/conflicts/use-edit-conflict.ts';
import { Form } from '../../../forms/form.tsx';
import { FormMessages } from '../../../forms/messages/form-messages.tsx';
import type { DraftForm } from '../../../forms/use-draft-form.ts';
import { plural } from '../../../lib/format.ts';
import { beginEntry } from '../../../lib/navigation/first-field.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { flash } from '../../../ui/flash.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { ClassSubjects } from './class-subjects.tsx';
import { FromScheme } from './scheme-subjects.tsx';
import { findNamedSheets } from './semester-errors.ts';
import { findGaps, gapsQuestion } from './semester-gaps.ts';
import { SemesterRail } from './semester-rail.tsx';
import { RightsNotice, type SemesterRights } from './semester-rights.tsx';
import { semesterTotals } from './semester-totals.ts';
import { SEMESTER_FIELDS, slotsFromFormValues, slotsToFormValues } from './semester-values.ts';
import { focusFirstSubject, focusNextField } from './subjects/next-field.ts';
import { SubjectCount } from './subjects/subject-count.tsx';
import { SubjectList } from './subjects/subject-list.tsx';
import {
  gradeError,
  isEmptySlot,
  overflowCount,
  type SlotAction,
  type SubjectSlot,
  type SubjectValues,
  slotsReducer,
  visibleSlotCount,
} from './subjects/subject-slots.ts';

const LABELS = Object.fromEntries(SEMESTER_FIELDS.map(({ name, label }) => [name, label]));
const TOO_MANY = `${SUBJECT_COUNT} is the maximum number of subjects per semester`;
const NO_SUBJECT = 'Enter at least one subject. A semester without subjects is not saved.';

interface SemesterFormProps {
  form: DraftForm<string>;
  /** The values of the form without a draft. */
  initial: Record<string, string>;
  /** The values that another user has saved since the form was filled. */
  stale?: EditConflict<string> | null;
  studentId: string;
  semester: number;
  lastSemester: number;
  /** Whose subjects may be those of others of the class. */
  classOfStudent: Pick<Student, 'department' | 'degree'>;
  rights: SemesterRights;
  /** The semester is recorded already. */
  isRecorded?: boolean;
  /** The semesters lead to their edit. */
  hasLinks?: boolean;
  submitLabel: string;
  /** The form of the previous semester was replaced by this one, which takes the focus. */
  followsAnother: boolean;
  /** Leaves without saving; offered while nothing was typed. */
  onLater?: (() => void) | undefined;
  /** @param closes leads to the record of the student instead of the next step */
  onSave: (closes: boolean) => Promise<void>;
  /** Buttons for the whole semester. */
  actions?: ReactNode;
}

/** The results of one semester. Give its owner a `key` for each semester. */
export function SemesterForm({
  form,
  initial,
  stale,
  studentId,
  semester,
  lastSemester,
  classOfStudent,
  rights,
  isRecorded = false,
  hasLinks = false,
  submitLabel,
  followsAnother,
  onLater,
  onSave,
  actions,
}: SemesterFormProps) {
  const slots = slotsFromFormValues(form.values);
  const heading = useRef<HTMLHeadingElement>(null);
  const element = useRef<HTMLFormElement>(null);
  /** The save that waits for an answer about the gaps. */
  const [asked, setAsked] = useState<{ question: string; closes: boolean } | null>(null);
  const gaps = findGaps(slots);
  const isUnchanged = SEMESTER_FIELDS.every(({ name }) => form.values[name] === initial[name]);

  useEffect(() => {
    if (!followsAnother) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [followsAnother]);

  useEffect(() => {
    const begun = element.current;
    if (begun) beginEntry(begun, () => focusFirstSubject(begun));
  }, []);

  const act = (action: SlotAction) => {
    const isTooMany =
      (action.type === 'paste' && overflowCount(slots, action.index, action.rows) > 0) ||
      (action.type === 'setCount' && action.count > SUBJECT_COUNT) ||
      (action.type === 'putBack' && !slots.some(isEmptySlot));
    if (isTooMany) flash(TOO_MANY, 'warning');
    else if (action.type === 'paste') flash(`Pasted ${describeRows(action.rows)}`);
    else if (action.type === 'fill') flash(`Filled in ${describeRows(action.rows)}`);
    form.setValues(slotsToFormValues(slotsReducer(slots, action)));
    if (form.failure === NO_SUBJECT) form.setFailure(null);
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

  const save = (closes: boolean) => {
    if (form.isProcessing || rights.isLocked || !form.isReadable()) return;
    const wrong = gradeErrors(slots);
    const question = isUnchanged && isRecorded ? undefined : gapsQuestion(gaps);
    if (slots.every(isEmptySlot) && !(isRecorded && isUnchanged)) {
      form.clearErrors();
      form.setFailure(NO_SUBJECT);
    } else if (Object.keys(wrong).length > 0) form.setErrors(wrong);
    else if (question !== undefined) setAsked({ question, closes });
    else void onSave(closes);
  };
  const fillFromClass = (rows: readonly SubjectValues[], replaces: boolean) => {
    flushSync(() => act({ type: 'fill', rows, replaces }));
    // The pressed button has disappeared.
    if (element.current) focusNextField(element.current, null);
  };

  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={initial} stale={stale} />
      <SheetLinks sheets={findNamedSheets([...Object.values(form.errors), form.failure])} />
      <Form
        ref={element}
        onSubmit={() => save(false)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          if (event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
          // Enter alone never saves: a semester saved by accident can't be deleted.
          event.preventDefault();
          focusNextField(event.currentTarget, event.target);
        }}
      >
        <section className="border-line border-t pt-5 pb-6">
          <div className="mb-4 flex flex-wrap items-center gap-x-10 gap-y-4">
            <h2 ref={heading} tabIndex={-1} className="text-[1.125rem]">
              Semester {semester}
            </h2>
            <SemesterRail
              semester={semester}
              last={lastSemester}
              linkedStudentId={hasLinks ? studentId : undefined}
            />
            <SubjectCount
              count={visibleSlotCount(slots)}
              onCount={(count) => act({ type: 'setCount', count })}
            />
            {actions && <div className="ms-auto">{actions}</div>}
          </div>
          <RightsNotice
            rights={rights}
            reason={form.values.reason ?? ''}
            error={form.errors.reason}
            onReason={(reason) => form.setValue('reason', reason)}
          />
          {!rights.isLocked && !isRecorded && <FromScheme studentId={studentId} semester={semester} />}
          {!rights.isLocked && (
            <ClassSubjects
              studentId={studentId}
              classOfStudent={classOfStudent}
              semester={semester}
              slots={slots}
              isUntouched={isUnchanged && !isRecorded}
              onFill={fillFromClass}
            />
          )}
          <SubjectList
            slots={slots}
            errors={form.errors}
            sheetBySlot={rights.sheetBySlot}
            isLocked={rights.isLocked}
            onAction={act}
          />
          <p className="mt-3 text-fg-3 text-label" hidden={rights.isLocked}>
            <Kbd>Enter</Kbd> moves on to the next field, <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> saves. Rows copied
            from a spreadsheet can be pasted into a title: title, subject ID, credit hours and grade.
          </p>
        </section>
        <SemesterFooter
          slots={slots}
          isLocked={rights.isLocked}
          submitLabel={submitLabel}
          isProcessing={form.isProcessing}
          onLater={isUnchanged || slots.every(isEmptySlot) ? onLater : undefined}
          onSaveAndClose={() => save(true)}
        />
      </Form>
      <ConfirmDialog
        isOpen={asked !== null}
        text={asked?.question ?? ''}
        onYes={() => {
          setAsked(null);
          if (asked) void onSave(asked.closes);
        }}
        onNo={() => setAsked(null)}
      >
        <GapList label="No grade" titles={gaps.grade} />
        <GapList label="No credit hours" titles={gaps.credit} />
      </ConfirmDialog>
    </>
  );
}

/** The errors of grades that are not one of the letters, by field. */
const gradeErrors = (slots: readonly SubjectSlot[]): Record<string, string[]> =>
  Object.fromEntries(
    slots.flatMap(({ grade }, i) => {
      const error = gradeError(grade);
      return error === undefined ? [] : [[slotFieldNames(i + 1).grade, [error]]];
    }),
  );

/** Subjects named in a message. */
const MOST_NAMED = 3;

/** `6 subjects: Calculus, Physics, Statics and 3 more` */
function describeRows(rows: readonly SubjectValues[]): string {
  const named = rows.slice(0, MOST_NAMED).map(({ title }) => title);
  const others = rows.length - named.length;
  return `${plural(rows.length, 'subject')}: ${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}

function GapList({ label, titles }: { label: string; titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return (
    <p className="wrap-anywhere mt-2 text-fg-2 text-label">
      {label}: {titles.join(', ')}
    </p>
  );
}

interface SemesterFooterProps {
  slots: readonly SubjectSlot[];
  isLocked: boolean;
  submitLabel: string;
  isProcessing: boolean;
  /** Leaves without saving. */
  onLater: (() => void) | undefined;
  onSaveAndClose: () => void;
}

/** The bar of the form, with the totals. Unlike the notes of other forms, they are also shown on small screens. */
function SemesterFooter({
  slots,
  isLocked,
  submitLabel,
  isProcessing,
  onLater,
  onSaveAndClose,
}: SemesterFooterProps) {
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
      <div className="ms-auto flex flex-wrap justify-end gap-2" hidden={isLocked}>
        {onLater ? (
          <Button onClick={onLater}>Leave it for later</Button>
        ) : (
          <Button aria-disabled={isProcessing} onClick={onSaveAndClose}>
            Save and close
          </Button>
        )}
        <Button type="submit" variant="primary" processing={isProcessing}>
          {submitLabel}
        </Button>
      </div>
    </div>
  );
}

/** Leads to where results are changed that a mark sheet wrote. */
function SheetLinks({ sheets }: { sheets: readonly string[] }) {
  if (sheets.length === 0) return null;
  return (
    <p className="mb-5 text-fg-2">
      {'A rectification changes these results: open '}
      {sheets.map((sheetId, i) => (
        <Fragment key={sheetId}>
          {i > 0 && ', '}
          <Link to="/marksheets/$sheetId/results" params={{ sheetId }} className="link">
            {`mark sheet ${sheetId}`}
          </Link>
        </Fragment>
      ))}
      {' and choose Rectify.'}
    </p>
  );
}
