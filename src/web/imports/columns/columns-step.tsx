import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Import } from '../../../contract/imports.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter } from '../../forms/form-layout.tsx';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { discardDraft, readDraft, writeDraft } from '../../lib/drafts.ts';
import { focusMain } from '../../lib/navigation/navigation.ts';
import { oneOf } from '../../lib/one-of.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { hiddenRowsText, rowsText } from '../import-labels.ts';
import { importQuery } from '../import-queries.ts';
import { useImportSearchParams } from '../search-params.ts';
import {
  asksForOrder,
  type ColumnChoices,
  chooseLayout,
  columnsDraft,
  fromDraft,
  initialChoices,
  lacksDecimal,
  missingFields,
  needsNameSplit,
  toDraft,
  toPreviewInput,
} from './column-choices.ts';
import { ColumnsTable } from './columns-table.tsx';
import { asksForCourse, useCourses } from './course-columns.ts';
import { MarksQuestions } from './marks-questions.tsx';
import { MissingFields } from './missing-fields.tsx';
import { SheetChoice } from './sheet-choice.tsx';

const MODES = [
  { value: 'both', label: 'New and changed' },
  { value: 'create', label: 'Only new' },
  { value: 'update', label: 'Only changed' },
] as const;
const LAYOUTS = [
  { value: 'row-per-subject', label: 'A row per subject' },
  { value: 'column-per-course', label: 'A column per course' },
] as const;
const NAME_SPLITS = [
  { value: 'last-word', label: 'The last word is the last name' },
  { value: 'first-word', label: 'The first word is the first name' },
] as const;

/** Which column is read as which field, and how. */
export function ColumnsStep({ item }: { item: Import }) {
  const [choices, setChoices] = useUnsentChoices(item);
  const preview = usePreview(item);
  const missing = missingFields(item, choices);
  const isReady = missing.length === 0 && !needsNameSplit(choices) && !lacksDecimal(item, choices);
  const courses = useCourses(choices);
  const unknown = choices.fields.filter((field) => asksForCourse(courses, field)).length;
  const toCheck = unknown + item.columns.filter((column) => asksForOrder(item, choices, column)).length;
  const read = choices.fields.filter((field) => field !== undefined).length;
  return (
    <Form
      onSubmit={() => {
        if (isReady) preview.start(choices);
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pb-7">
        {preview.problem !== undefined && <Problem text={preview.problem} />}
        <EncodingNotice item={item} />
        <HiddenRowsNotice item={item} />
        <ReadingChoices item={item} choices={choices} onChange={setChoices} />
        <MarksQuestions item={item} choices={choices} onChange={setChoices} />
        <MissingFields item={item} choices={choices} onChange={setChoices} />
        <section aria-labelledby="columns-heading">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2.5">
            <h2 id="columns-heading">Columns</h2>
            <p role="status" className="text-fg-3 text-label">
              {[
                `${read - unknown} matched`,
                ...(toCheck > 0 ? [`${toCheck} to check`] : []),
                `${item.columns.length - read} left out`,
              ].join(', ')}
            </p>
          </div>
          <ColumnsTable item={item} choices={choices} onChange={setChoices} />
        </section>
      </div>
      <FormFooter
        note={
          needsNameSplit(choices)
            ? 'Choose how the full names are divided.'
            : lacksDecimal(item, choices)
              ? 'Choose how decimals are written.'
              : missing.length === 0
                ? preview.isRunning && `${rowsText(item.rows)} are being checked.`
                : missing.length === 1
                  ? '1 required field has no column.'
                  : `${missing.length} required fields have no column.`
        }
      >
        {item.state === 'previewed' && (
          <Button variant="quiet" onClick={preview.close}>
            Back to the preview
          </Button>
        )}
        <Button type="submit" variant="primary" processing={preview.isRunning} disabled={!isReady}>
          {`Preview ${rowsText(item.rows)}`}
        </Button>
      </FormFooter>
    </Form>
  );
}

/** The choices until they are sent, which a reload of the page leaves as they are; not after another preview was made elsewhere. */
function useUnsentChoices(item: Import) {
  const [choices, setChoices] = useState(() => {
    const draft = readDraft(columnsDraft(item.import_id));
    const isCurrent = draft !== null && draft.base.fingerprint === (item.fingerprint ?? '');
    return isCurrent ? fromDraft(item, draft.values) : initialChoices(item);
  });
  const change = (next: ColumnChoices) => {
    setChoices(next);
    const base = { fingerprint: item.fingerprint ?? '' };
    writeDraft(columnsDraft(item.import_id), { values: toDraft(next), base });
  };
  return [choices, change] as const;
}

/** Makes the preview and shows it. */
function usePreview(item: Import) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { change } = useImportSearchParams();
  const preview = useTask({
    run: async (choices: ColumnChoices) => {
      await call('POST /api/imports/:import_id/preview', {
        params: { import_id: item.import_id },
        body: toPreviewInput(item, choices),
        hasOverlay: false,
      });
    },
    failure: 'The preview could not be made. Try again.',
    onDone: async () => {
      discardDraft(columnsDraft(item.import_id));
      await queries.fetchQuery(importQuery(item.import_id));
      await navigate({ to: '.', search: {}, replace: true });
      window.scrollTo(0, 0);
      focusMain();
    },
  });
  const close = () => {
    discardDraft(columnsDraft(item.import_id));
    change({ step: '' });
  };
  return { ...preview, close };
}

function Problem({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text gets the focus.
  useEffect(() => box.current?.focus(), [text]);
  return <Alert ref={box}>{text}</Alert>;
}

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

/** Names the values that another encoding would change. */
function EncodingNotice({ item: { encoding, encoding_samples } }: { item: Import }) {
  if (encoding === null || encoding_samples.length === 0) return null;
  return (
    <Alert tone="warn">
      {`The file does not say how its letters are encoded. It was read as ${ENCODING_NAMES[encoding] ?? encoding}. Are these right? `}
      <b className="wrap-anywhere font-semibold">{encoding_samples.join(', ')}</b>
      {'. If not, save the file as “CSV UTF-8” or as a workbook, and choose it again.'}
    </Alert>
  );
}

/** A filter hides rows, and who sent the file may not know that they are in it. */
function HiddenRowsNotice({ item: { hidden_lines } }: { item: Import }) {
  if (hidden_lines.length === 0) return null;
  return <Alert tone="warn">{hiddenRowsText(hidden_lines)}</Alert>;
}

interface ReadingChoicesProps {
  item: Import;
  choices: ColumnChoices;
  onChange: (choices: ColumnChoices) => void;
}

/** The choices for the whole file. */
function ReadingChoices({ item, choices, onChange }: ReadingChoicesProps) {
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-4">
      <SheetChoice item={item} />
      {item.kind !== 'marks' && (
        <Choice label="Rows">
          <SegmentedControl
            label="Rows"
            options={MODES}
            value={choices.mode}
            onChange={(mode) => onChange({ ...choices, mode })}
          />
        </Choice>
      )}
      {item.kind === 'results' && (
        <Choice label="Layout">
          <SegmentedControl
            label="Layout"
            options={LAYOUTS}
            value={choices.layout}
            onChange={(layout) => onChange(chooseLayout(item, choices, layout))}
          />
        </Choice>
      )}
      {choices.fields.includes('full_name') && (
        <SelectField
          label="Full names"
          name="name-split"
          required
          value={choices.nameSplit ?? ''}
          placeholder="Choose how to divide them"
          options={NAME_SPLITS}
          onChange={(split) => onChange({ ...choices, nameSplit: oneOf(['last-word', 'first-word'], split) })}
          error={needsNameSplit(choices) ? '' : undefined}
          hint={<NameExample item={item} choices={choices} />}
          className="w-70 max-w-full"
        />
      )}
    </div>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.25">
      <span aria-hidden="true" className="font-[540] text-label">
        {label}
      </span>
      <div>{children}</div>
    </div>
  );
}

/** A name of the file, divided as chosen. */
function NameExample({ item, choices: { fields, nameSplit } }: Omit<ReadingChoicesProps, 'onChange'>) {
  const samples = item.columns[fields.indexOf('full_name')]?.samples ?? [];
  // With a comma, the last name stands in front whatever is chosen.
  const plain = samples.filter((sample) => !sample.includes(','));
  const name = plain.find((sample) => sample.trim().split(/\s+/).length > 2) ?? plain[0];
  const words = name?.trim().split(/\s+/) ?? [];
  if (words.length < 2 || nameSplit === undefined) return name ?? null;
  const at = nameSplit === 'last-word' ? -1 : 1;
  return (
    <span className="wrap-anywhere">
      {'First name '}
      <b className="font-semibold">{words.slice(0, at).join(' ')}</b>
      {', last name '}
      <b className="font-semibold">{words.slice(at).join(' ')}</b>
    </span>
  );
}
