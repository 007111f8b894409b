import { ImageUp, Landmark, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { FieldError, fieldId } from './field.tsx';
import { ACCEPTED_PICTURE_TYPES, validatePicture } from './picture-validation.ts';

interface PictureFieldProps {
  label: string;
  name: string;
  /** What the picture is, for messages: `student portrait`. */
  subject: string;
  /** `square` shows all of the picture, `portrait` fills its frame with it. */
  shape?: keyof typeof SHAPES;
  /** The chosen file; null while there is none. */
  file: File | null;
  onFile: (file: File) => void;
  /** Address of the picture that is shown while no file is chosen. */
  picture: string | null;
  onRemove: () => void;
  error?: string | undefined;
  /** Shown next to the accepted formats. */
  hint?: ReactNode;
  className?: string | undefined;
}

/** A picture that can be chosen, dropped or pasted, with a preview. */
export function PictureField({
  label,
  name,
  subject,
  shape = 'portrait',
  file,
  onFile,
  picture,
  onRemove,
  error,
  hint,
  className,
}: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const labelId = useId();
  const id = fieldId(name);
  const shown = useObjectUrl(file) ?? picture;
  const problem = fault ?? error;

  const take = (next: File) => {
    const newFault = validatePicture(next, subject);
    setFault(newFault);
    if (newFault === null) onFile(next);
  };
  const remove = () => {
    setFault(null);
    onRemove();
    // The pressed button disappears with the picture.
    document.getElementById(id)?.focus();
  };
  const isDragging = useFileDrop(take);

  return (
    <fieldset className={classNames('min-w-0', className)}>
      <legend id={labelId} className="mb-1.25 font-[540] text-label">
        {label}
      </legend>
      <div
        className={classNames(
          'flex flex-wrap gap-4 rounded-control border border-dashed p-3 xs:flex-nowrap',
          isDragging ? 'border-ink bg-ink-soft' : problem ? 'border-danger' : 'border-control',
        )}
      >
        <Preview key={shown} address={shown} alt={file?.name ?? label} shape={shape} />
        <div className="flex min-w-0 flex-[1_1_180px] flex-col items-start gap-2">
          <input
            ref={input}
            type="file"
            name={name}
            aria-labelledby={labelId}
            accept={ACCEPTED_PICTURE_TYPES}
            className="hidden"
            onChange={(event) => {
              const chosen = event.target.files?.item(0);
              if (chosen) take(chosen);
              // Otherwise choosing the same file again after removing it would fire no change event.
              event.target.value = '';
            }}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              id={id}
              size="sm"
              aria-describedby={classNames(problem && `${id}-error`, `${id}-hint`)}
              onClick={() => input.current?.click()}
            >
              <ImageUp strokeWidth={1.75} aria-hidden="true" />
              {shown === null ? 'Choose picture' : 'Choose another picture'}
            </Button>
            {shown !== null && (
              <Button size="sm" variant="quiet" onClick={remove}>
                Remove picture
              </Button>
            )}
          </div>
          <p id={`${id}-hint`} className="text-fg-3 text-label">
            JPEG, PNG or WebP, at most 5 MiB.
            <span className="pointer-coarse:hidden"> It can also be dropped here or pasted.</span>
          </p>
          <div aria-live="polite" className="grid gap-1 text-fg-2 text-label">
            {hint}
            {file !== null && <p className="wrap-anywhere">Chosen: {file.name}</p>}
            {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
          </div>
        </div>
      </div>
    </fieldset>
  );
}

const SHAPES = {
  portrait: { ratio: 'aspect-35/45', fit: 'object-cover', Icon: UserRound },
  square: { ratio: 'aspect-square', fit: 'object-contain', Icon: Landmark },
} as const;

interface PreviewProps {
  address: string | null;
  alt: string;
  shape: keyof typeof SHAPES;
}

/** Nothing is shown for a file that the browser can't draw; the server decides whether it is a picture. */
function Preview({ address, alt, shape }: PreviewProps) {
  const [isBroken, setIsBroken] = useState(false);
  const { ratio, fit, Icon } = SHAPES[shape];
  const frame = `${ratio} w-21 flex-none self-start overflow-hidden rounded-control border border-line-2 bg-sunken`;
  if (address !== null && !isBroken) {
    return <img src={address} alt={alt} className={`${frame} ${fit}`} onError={() => setIsBroken(true)} />;
  }
  return (
    <div className={`grid place-items-center text-fg-3 ${frame}`} aria-hidden="true">
      <Icon className="size-9" strokeWidth={1.25} />
    </div>
  );
}

/** An object URL for a chosen file, revoked when no longer shown. */
export function useObjectUrl(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [file]);
  return address;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Text pasted into a field may carry a picture of itself, which is ignored. */
function isPastedText({ clipboardData, target }: ClipboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.matches('input, textarea');
  return isField && (clipboardData?.types.includes('text/plain') ?? false);
}

/**
 * Receives a file that is dropped anywhere on the page or pasted. By default the browser would navigate to a dropped
 * file.
 *
 * @returns whether a file is being dragged over the page
 */
function useFileDrop(onFile: (file: File) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const listener = useRef(onFile);
  listener.current = onFile;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const take = (data: DataTransfer | null) => {
      const file = data?.files.item(0);
      if (file) listener.current(file);
      return Boolean(file);
    };
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false);
    };
    const drop = (event: DragEvent) => {
      setIsDragging(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      if (!isPastedText(event) && take(event.clipboardData)) event.preventDefault();
    };
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    document.addEventListener('paste', paste, { signal });
    return () => controller.abort();
  }, []);
  return isDragging;
}
