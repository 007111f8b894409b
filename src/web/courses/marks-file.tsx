import { FileText, FileUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { LostFile } from '../forms/lost-file.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { FieldError, fieldId } from '../ui/field.tsx';

interface MarksFileProps {
  file: ChosenFile;
  error: string | undefined;
}

/** The file that marks are sent from. */
export function MarksFile({ file: { file, choose, lostName }, error }: MarksFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = fieldId('file');

  useEffect(() => {
    // Without this, choosing the same file again after removing it would be no change.
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
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        className="hidden"
        onChange={(event) => choose(event.target.files?.item(0) ?? null)}
      />
      {file !== null && (
        <div className="mb-1 flex max-w-full items-center gap-2 rounded-control border border-line-2 bg-sunken py-0.5 ps-3 pe-0.5">
          <FileText className="size-4 shrink-0 text-fg-3" strokeWidth={1.75} aria-hidden="true" />
          <span className="wrap-anywhere min-w-0 font-[540]">{file.name}</span>
          <span className="whitespace-nowrap text-fg-3 text-label">{sizeText(file.size)}</span>
          <IconButton label="Remove file" onClick={() => choose(null)}>
            <X strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      )}
      <Button
        id={id}
        aria-describedby={classNames(error && `${id}-error`, `${id}-hint`)}
        onClick={() => input.current?.click()}
      >
        <FileUp strokeWidth={1.75} aria-hidden="true" />
        {file === null ? 'Choose file' : 'Choose another file'}
      </Button>
      <div id={`${id}-hint`} aria-live="polite" className="text-fg-2 text-label">
        <LostFile name={lostName} />
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
