import { ClipboardPaste, FileUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Form } from '../../forms/form.tsx';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError, fieldId } from '../../ui/fields/field.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { useFileDrop } from '../../ui/fields/use-file-drop.ts';
import type { ImportSource } from './upload.ts';

const ACCEPTED =
  '.xlsx,.csv,.tsv,.txt,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,text/csv,text/tab-separated-values,text/plain';

interface FileChoiceProps {
  /** The file that was chosen last; null without one. */
  file: File | null;
  /** Pasted rows as typed. */
  text: string;
  onText: (text: string) => void;
  onChoose: (source: ImportSource) => void;
  isUploading: boolean;
  onCancel: () => void;
  errors: { file?: string | undefined; text?: string | undefined };
}

/** A file that is chosen, dropped or pasted, or pasted rows. A file is uploaded at once. */
export function FileChoice({ file, text, onText, onChoose, isUploading, onCancel, errors }: FileChoiceProps) {
  const { file: error } = errors;
  const [isPasting, setIsPasting] = useState(text !== '');
  const isDragging = useFileDrop((dropped) => {
    if (!isUploading) onChoose({ file: dropped });
  });
  const id = fieldId('file');
  return (
    <section aria-labelledby="import-file-heading">
      <h2 id="import-file-heading" className="mb-3">
        The file
      </h2>
      <div
        className={classNames(
          'grid justify-items-center gap-1 rounded-panel border border-dashed px-5 py-7 text-center',
          isDragging
            ? 'border-ink bg-ink-soft'
            : error
              ? 'border-danger bg-sunken'
              : 'border-control bg-sunken',
        )}
      >
        <FileUp className="mb-1.5 size-7 text-fg-3" strokeWidth={1.5} aria-hidden="true" />
        {isUploading ? (
          <UploadProgress name={file?.name} onCancel={onCancel} />
        ) : (
          <>
            <p className="font-[580] text-lead">
              <span className="pointer-coarse:hidden">Drop a CSV or XLSX file here</span>
              <span className="pointer-fine:hidden">Choose a CSV or XLSX file</span>
            </p>
            <p id={`${id}-hint`} className="mb-3 text-fg-3 text-label">
              Up to 20 MiB and 50,000 rows.
            </p>
            <FileButtons
              file={file}
              error={error}
              onChoose={onChoose}
              isPasting={isPasting}
              onPaste={() => setIsPasting(true)}
            />
            <div aria-live="polite" className="grid gap-1 pt-2 empty:pt-0">
              {file !== null && (
                <p className="wrap-anywhere text-fg-2 text-label">{`${file.name} has not been uploaded.`}</p>
              )}
              {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
            </div>
          </>
        )}
      </div>
      {isPasting && !isUploading && (
        <PastedRows text={text} error={errors.text} onText={onText} onChoose={onChoose} />
      )}
    </section>
  );
}

interface FileButtonsProps {
  file: File | null;
  error: string | undefined;
  onChoose: (source: ImportSource) => void;
  isPasting: boolean;
  onPaste: () => void;
}

function FileButtons({ file, error, onChoose, isPasting, onPaste }: FileButtonsProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = fieldId('file');
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <input
        ref={input}
        type="file"
        name="file"
        aria-label="File"
        accept={ACCEPTED}
        className="hidden"
        onChange={(event) => {
          const chosen = event.target.files?.item(0);
          if (chosen) onChoose({ file: chosen });
          // Otherwise choosing the same file again after correcting it would fire no change event.
          event.target.value = '';
        }}
      />
      {file !== null && (
        <Button variant="primary" onClick={() => onChoose({ file })}>
          Upload it again
        </Button>
      )}
      <Button
        id={id}
        variant={file === null ? 'primary' : 'secondary'}
        aria-describedby={classNames(error && `${id}-error`, `${id}-hint`)}
        onClick={() => input.current?.click()}
      >
        {file === null ? 'Choose file' : 'Choose another file'}
      </Button>
      {!isPasting && (
        <Button onClick={onPaste}>
          <ClipboardPaste />
          Paste rows
        </Button>
      )}
    </div>
  );
}

function UploadProgress({ name, onCancel }: { name: string | undefined; onCancel: () => void }) {
  return (
    <>
      <p role="status" className="wrap-anywhere flex items-center gap-2 font-[560]">
        <span className="spin shrink-0" />
        {`Reading ${name ?? 'the rows'}`}
      </p>
      <Button size="sm" variant="quiet" className="mt-2" onClick={onCancel}>
        <X />
        Cancel
      </Button>
    </>
  );
}

interface PastedRowsProps {
  text: string;
  error: string | undefined;
  onText: (text: string) => void;
  onChoose: (source: ImportSource) => void;
}

function PastedRows({ text, error, onText, onChoose }: PastedRowsProps) {
  const [isMissing, setIsMissing] = useState(false);
  const take = () => {
    if (text.trim() === '') setIsMissing(true);
    else onChoose({ text });
  };
  return (
    <Form ref={beginInFirstField} onSubmit={take} className="mt-5 grid gap-3">
      <TextAreaField
        label="Rows"
        name="text"
        rows={8}
        value={text}
        onChange={(typed) => {
          setIsMissing(false);
          onText(typed);
        }}
        error={isMissing && text.trim() === '' ? 'Paste the rows first.' : error}
        hint="As copied from a spreadsheet, with the column names in the first row."
      />
      <div>
        <Button type="submit" variant="primary">
          Use these rows
        </Button>
      </div>
    </Form>
  );
}
