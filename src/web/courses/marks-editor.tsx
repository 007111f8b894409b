import { type DragEvent, useState } from 'react';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import { TextAreaField } from '../ui/fields.tsx';
import { MarksFile } from './marks-file.tsx';
import { MarksPreview } from './marks-preview.tsx';
import { useMarksPreview } from './use-marks-preview.ts';

interface MarksEditorProps {
  text: string;
  onText: (text: string) => void;
  file: ChosenFile;
  /** What the server said about the text, and about the file. */
  textError: string | undefined;
  fileError: string | undefined;
}

/** Marks as text or as a file, with what they come to before anything is sent. A file can also be dropped here. */
export function MarksEditor({ text, onText, file: marksFile, textError, fileError }: MarksEditorProps) {
  const { file, choose } = marksFile;
  const preview = useMarksPreview(text, file);
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
    choose(dropped);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button chooses a file as well.
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
        onChange={onText}
        readOnly={file !== null}
        error={textError}
        hint={hintFor(text, file)}
        placeholder="71, 64.5, 88"
      />
      <MarksFile file={marksFile} error={fileError} />
      {preview && <MarksPreview preview={preview} />}
    </div>
  );
}

function hintFor(text: string, file: File | null): string {
  if (file === null) return 'Marks from 0 to 100, separated by commas, semicolons, tabs or new lines.';
  return text.trim() === ''
    ? 'The marks are taken from the file.'
    : 'The marks are taken from the file. This text is kept but not sent.';
}
