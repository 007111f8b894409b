import { ImageUp, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { FieldError, fieldId } from './field.tsx';
import { PICTURE_TYPES, pictureFault } from './picture-file.ts';
import { useBroughtFile } from './use-brought-file.ts';

interface PictureFieldProps {
  label: string;
  name: string;
  /** What the picture is, as texts about it say: `student portrait`. */
  subject: string;
  /** The chosen file; null while there is none. */
  file: File | null;
  onFile: (file: File) => void;
  /** Address of the picture that is shown while no file is chosen. */
  picture: string | null;
  onRemove: () => void;
  error?: string | undefined;
  /** Beside the line that says what may be chosen. */
  hint?: ReactNode;
  className?: string | undefined;
}

/** A picture that is chosen, dropped or pasted, with a preview in the shape of a portrait. */
export function PictureField({
  label,
  name,
  subject,
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
  const shown = useAddress(file) ?? picture;
  const problem = fault ?? error;

  const take = (next: File) => {
    const newFault = pictureFault(next, subject);
    setFault(newFault);
    if (newFault === null) onFile(next);
  };
  const remove = () => {
    setFault(null);
    onRemove();
    // The button that was pressed goes with the picture.
    document.getElementById(id)?.focus();
  };
  const isDragging = useBroughtFile(take);

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
        <Preview key={shown} address={shown} alt={file?.name ?? label} />
        <div className="flex min-w-0 flex-[1_1_180px] flex-col items-start gap-2">
          <input
            ref={input}
            type="file"
            name={name}
            aria-labelledby={labelId}
            accept={PICTURE_TYPES}
            className="hidden"
            onChange={(event) => {
              const chosen = event.target.files?.item(0);
              if (chosen) take(chosen);
              // Without this, choosing the same file again after removing it would be no change.
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

/** What can't be drawn is no picture yet; whether it is one at all the server says. */
function Preview({ address, alt }: { address: string | null; alt: string }) {
  const [isBroken, setIsBroken] = useState(false);
  const frame =
    'aspect-35/45 w-21 flex-none self-start overflow-hidden rounded-control border border-line-2 bg-sunken';
  if (address !== null && !isBroken) {
    return (
      <img src={address} alt={alt} className={`${frame} object-cover`} onError={() => setIsBroken(true)} />
    );
  }
  return (
    <div className={`grid place-items-center text-fg-3 ${frame}`} aria-hidden="true">
      <UserRound className="size-9" strokeWidth={1.25} />
    </div>
  );
}

/** An address to draw a chosen file from, given back when it is no longer shown. */
function useAddress(file: File | null): string | null {
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
