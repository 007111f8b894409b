import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form } from '../../forms/form.tsx';
import { useTask } from '../../forms/use-task.ts';
import { errorMessage } from '../../lib/api.ts';
import { call, callWithVersion } from '../../lib/call.ts';
import { discardDraft, readDraft, writeDraft } from '../../lib/drafts.ts';
import { useCanWrite } from '../../lib/session.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { flash } from '../../ui/flash.tsx';
import { saveStudent } from '../entry/base/save-student.ts';
import { EMPTY_STUDENT, toStudentValues } from '../entry/base/student-values.ts';
import { toFamilyValues } from '../entry/family/family-values.ts';
import { familyStepQuery, studentRecordQuery } from '../student-queries.ts';
import { useStudentId } from '../student-redirects.ts';

interface EditableValueProps {
  /** The field of the base details, or else of the family. */
  name: string;
  label: string;
  /** The stored value as the text of its input. */
  value: string;
  type?: 'text' | 'date';
  /** The value as it is shown, where that differs. */
  children?: ReactNode;
}

/**
 * A value of the record that is corrected in place: a press opens it, Enter saves, Escape leaves it as it was. What is typed is kept as a
 * draft: it is still there after the page was left.
 */
export function EditableValue({ name, label, value, type = 'text', children }: EditableValueProps) {
  const canWrite = useCanWrite();
  const studentId = useStudentId();
  const draftKey = `student-value:${studentId}:${name}`;
  const button = useRef<HTMLButtonElement>(null);
  const [isEditing, setIsEditing] = useState(() => readDraft(draftKey) !== null);
  const shown =
    value === '' ? <span className="font-normal text-fg-3">Not defined yet.</span> : (children ?? value);
  if (!canWrite) return shown;
  if (isEditing) {
    const leave = (isByKey: boolean) => {
      discardDraft(draftKey);
      flushSync(() => setIsEditing(false));
      if (isByKey) button.current?.focus();
    };
    return (
      <ValueEditor
        studentId={studentId}
        draftKey={draftKey}
        name={name}
        label={label}
        value={value}
        type={type}
        onLeave={leave}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      title={`Correct: ${label}`}
      className="group wrap-anywhere inline-flex min-h-6 items-center gap-1.5 rounded-chip text-start hover:text-ink-text"
      onClick={() => setIsEditing(true)}
    >
      <span>{shown}</span>
      <Pencil className="screen-only size-3 shrink-0 text-fg-3 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100" />
    </button>
  );
}

/** Somebody has stored another value since this one was read. */
class ValueConflict extends Error {}

/** Replaces one value of what is stored now. */
async function storeValue(studentId: string, name: string, seen: string, typed: string): Promise<void> {
  const params = { id: studentId };
  const check = (stored: string | undefined) => {
    if (stored !== seen) throw new ValueConflict(stored);
  };
  if (name in EMPTY_STUDENT) {
    const { body, version } = await callWithVersion('GET /api/students/:id/base', { params });
    const values = toStudentValues(body.student);
    check(Object.entries(values).find(([field]) => field === name)?.[1]);
    await saveStudent({ studentId, values: { ...values, [name]: typed }, file: null, ifMatch: version });
  } else {
    const { body, version } = await callWithVersion('GET /api/students/:id', { params });
    if (body === null) throw new ValueConflict();
    const values = toFamilyValues(body.family);
    check(Object.entries(values).find(([field]) => field === name)?.[1]);
    await call('PUT /api/students/:id/family', {
      params,
      body: { student_id: studentId, ...values, [name]: typed },
      ifMatch: version,
    });
  }
}

interface ValueEditorProps extends Required<Pick<EditableValueProps, 'name' | 'label' | 'value' | 'type'>> {
  studentId: string;
  draftKey: string;
  onLeave: (isByKey: boolean) => void;
}

function ValueEditor({ studentId, draftKey, name, label, value, type, onLeave }: ValueEditorProps) {
  const queries = useQueryClient();
  const [draft] = useState(() => readDraft(draftKey));
  const [text, setText] = useState(draft?.values[name] ?? value);
  /** The value that the user knows to be stored. */
  const [seen, setSeen] = useState(draft?.base[name] ?? value);
  const saving = useTask({
    run: () => storeValue(studentId, name, seen, text),
    failure: (error) =>
      error instanceof ValueConflict
        ? `Another user has changed this to “${error.message}”. Enter stores yours all the same.`
        : errorMessage(error, 'The value could not be saved. Try again.'),
    fields: [name],
    // Not removed: the record stays on the screen, with the focus.
    invalidates: [studentRecordQuery(studentId).queryKey, familyStepQuery(studentId).queryKey],
    onDone: () => {
      queries.removeQueries({ queryKey: ['students', 'list'] });
      flash(`${label} saved`);
      onLeave(true);
    },
    onError: (error) => {
      if (!(error instanceof ValueConflict)) return;
      setSeen(error.message);
      keep(text, error.message);
    },
  });
  const keep = (typed: string, known: string) => {
    if (typed === known) discardDraft(draftKey);
    else writeDraft(draftKey, { values: { [name]: typed }, base: { [name]: known } });
  };
  const problem = saving.errors[name] ?? saving.problem;
  const id = `value-${name}`;
  return (
    <Form
      className="grid gap-1.25"
      onSubmit={() => {
        if (text.trim() === seen) onLeave(true);
        else saving.start();
      }}
    >
      <input
        // What is kept from before does not take the focus from the page.
        ref={draft === null ? selectAll : undefined}
        id={id}
        type={type}
        aria-label={label}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
        autoComplete="off"
        className="control"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          keep(event.target.value, seen);
        }}
        onBlur={() => {
          if (text === value && !saving.isRunning) onLeave(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onLeave(true);
        }}
      />
      <div id={`${id}-note`} role="status">
        {problem === undefined ? (
          <p className="font-normal text-caption text-fg-3">
            {draft === null
              ? 'Enter saves, Esc leaves it as it was.'
              : 'Not saved yet. Enter saves, Esc leaves it as it was.'}
          </p>
        ) : (
          <FieldError>{problem}</FieldError>
        )}
      </div>
    </Form>
  );
}

function selectAll(input: HTMLInputElement | null): void {
  input?.focus();
  if (input?.type === 'text') input.select();
}
