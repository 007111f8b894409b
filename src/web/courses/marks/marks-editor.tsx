import { FileText, FileUp, X } from 'lucide-react';
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { DECIMAL_MARKS } from '../../../domain/columns/cells.ts';
import { MissingFileNotice, type SelectedFile } from '../../forms/selected-file.tsx';
import type { DraftForm } from '../../forms/use-draft-form.ts';
import { oneOf } from '../../lib/one-of.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError, fieldId } from '../../ui/fields/field.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import type { CourseValues } from '../course-values.ts';
import { MarksPreview } from './marks-preview.tsx';
import { type MarksReading, useMarksPreview } from './use-marks-preview.ts';

interface MarksEditorProps {
  form: Pick<DraftForm<keyof CourseValues>, 'values' | 'setValue' | 'setValues' | 'errors'>;
  file: SelectedFile;
}

/** How the marks are read, from the values of the form. */
export const marksReading = ({
  absent,
  sheet,
  column,
  decimal,
}: Pick<CourseValues, 'absent' | 'sheet' | 'column' | 'decimal'>): MarksReading => ({
  absent: absent === 'leave_out' ? 'leave_out' : 'refuse',
  sheet,
  column,
  decimal: oneOf(DECIMAL_MARKS, decimal) ?? '',
});

/** Marks as text or as a file, with a preview before anything is sent. A file can also be dropped here. */
export function MarksEditor({ form, file: { select, ...marksFile } }: MarksEditorProps) {
  const { marks: text, absent, sheet, column, decimal } = form.values;
  const { file } = marksFile;
  const preview = useMarksPreview(
    text,
    file,
    useMemo(() => marksReading({ absent, sheet, column, decimal }), [absent, sheet, column, decimal]),
  );
  const selectFile = (next: File | null) => {
    form.setValues({ sheet: '', ...NOT_CHOSEN });
    select(next);
  };
  const selectSheet = (name: string) => form.setValues({ sheet: name, ...NOT_CHOSEN });
  const changeText = (next: string) =>
    form.setValues({ marks: next, ...(isOtherTable(text, next) && NOT_CHOSEN) });
  const [isOver, setIsOver] = useState(false);

  const accept = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    const dropped = event.dataTransfer.files.item(0);
    setIsOver(false);
    if (dropped === null) return;
    event.preventDefault();
    selectFile(dropped);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button selects a file as well.
    <div
      className="marks-editor grid gap-4.5"
      data-over={isOver ? '' : undefined}
      onDragOver={accept}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <TextAreaField
        label="Course marks (CSV)"
        name="marks"
        rows={3}
        value={text}
        onChange={changeText}
        readOnly={file !== null}
        error={form.errors.marks}
        hint={hintFor(text, file)}
        placeholder="71, 64.5, 88"
      />
      <MarksFileField file={{ ...marksFile, select: selectFile }} error={form.errors.file} />
      {preview && (
        <MarksPreview
          preview={preview}
          onAbsent={(rule) => form.setValue('absent', rule)}
          onSheet={selectSheet}
          onColumn={(chosen) => form.setValue('column', chosen)}
          onDecimal={(chosen) => form.setValue('decimal', chosen)}
          error={form.errors.columns ?? form.errors.column ?? form.errors.decimal}
        />
      )}
    </div>
  );
}

/** The choices for a new text: those for an earlier one don't apply to it. */
const NOT_CHOSEN = { column: '', decimal: '' } as const;

/** Whether the first line is another one: its headings tell which columns there are. A key that corrects it makes no other line. */
function isOtherTable(before: string, after: string): boolean {
  const [old, next] = [firstLine(before), firstLine(after)];
  if (separators(old) !== separators(next)) return true;
  let start = 0;
  while (start < old.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  return Math.max(old.length, next.length) - start - end > 1;
}

const firstLine = (text: string) => text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
const separators = (line: string) => line.replaceAll(/[^,;\t]/g, '');

function hintFor(text: string, file: File | null): string {
  if (file === null) return 'Marks from 0 to 100, separated by commas, semicolons, tabs or new lines.';
  return text.trim() === ''
    ? 'The marks are taken from the file.'
    : 'The marks are taken from the file. This text is kept but not sent.';
}

interface MarksFileProps {
  file: SelectedFile;
  error: string | undefined;
}

/** The field for a file with marks. */
function MarksFileField({ file: { file, select, lostName }, error }: MarksFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = fieldId('file');

  useEffect(() => {
    // Otherwise selecting the same file again after removing it would fire no change event.
    if (file === null && input.current) input.current.value = '';
  }, [file]);

  return (
    <div className="flex min-w-0 flex-col items-start gap-1.25">
      <span id={`${id}-label`} className="font-[540] text-label">
        File
      </span>
      <input
        ref={input}
        type="file"
        name="selectedFile"
        aria-labelledby={`${id}-label`}
        accept=".xlsx,.csv,.tsv,.txt,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,text/csv,text/tab-separated-values,text/plain"
        className="hidden"
        onChange={(event) => select(event.target.files?.item(0) ?? null)}
      />
      {file !== null && (
        <div className="mb-1 flex max-w-full items-center gap-2 rounded-control border border-line-2 bg-sunken py-0.5 ps-3 pe-0.5">
          <FileText className="size-4 shrink-0 text-fg-3" />
          <span className="wrap-anywhere min-w-0 font-[540]">{file.name}</span>
          <span className="whitespace-nowrap text-fg-3 text-label">{sizeText(file.size)}</span>
          <IconButton label="Remove file" onClick={() => select(null)}>
            <X />
          </IconButton>
        </div>
      )}
      <Button
        id={id}
        aria-describedby={classNames(error && `${id}-error`, `${id}-hint`)}
        onClick={() => input.current?.click()}
      >
        <FileUp />
        {file === null ? 'Select file' : 'Select another file'}
      </Button>
      <div id={`${id}-hint`} aria-live="polite" className="text-fg-2 text-label">
        <MissingFileNotice name={lostName} />
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
