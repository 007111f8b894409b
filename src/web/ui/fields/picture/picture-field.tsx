import { ImageUp, Landmark, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../button.tsx';
import { classNames } from '../../class-names.ts';
import { FieldError, fieldId } from '../field.tsx';
import { useFileDrop } from '../use-file-drop.ts';
import { ACCEPTED_PICTURE_TYPES, validatePicture } from './picture-validation.ts';

interface PictureFieldProps {
  label: string;
  name: string;
  /** The name of the picture in messages: `student portrait`. */
  subject: string;
  /** `square` shows all of the picture, `portrait` fills its frame with it. */
  shape?: keyof typeof SHAPES;
  /** The chosen file; null while there is none. */
  file: File | null;
  onFile: (file: File) => void;
  /** Address of the picture that is shown while no file is chosen. */
  picture: string | null;
  /** Names the outline that is shown without a picture; it has no name otherwise. */
  emptyLabel?: string;
  /** The text of the button that chooses a picture. */
  selectLabel?: string;
  processing?: boolean;
  /** Left out where a picture can only be replaced. */
  onRemove?: () => void;
  error?: string | undefined;
  /** Shown next to the accepted formats. */
  hint?: ReactNode;
  /** Another way to give the picture, below the buttons. */
  children?: ReactNode;
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
  emptyLabel,
  selectLabel,
  processing = false,
  onRemove,
  error,
  hint,
  children,
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
    onRemove?.();
    // The pressed button disappears with the picture.
    document.getElementById(id)?.focus();
  };
  const isDragging = useFileDrop(take);

  return (
    <fieldset className="min-w-0">
      <legend id={labelId} className="mb-1.25 font-[540] text-label">
        {label}
      </legend>
      <div
        className={classNames(
          'flex flex-wrap gap-4 rounded-control border border-dashed p-3',
          isDragging ? 'border-ink bg-ink-soft' : problem ? 'border-danger' : 'border-control',
        )}
      >
        <Preview
          key={shown}
          address={shown}
          alt={file?.name ?? label}
          shape={shape}
          emptyLabel={emptyLabel}
        />
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
              processing={processing}
              aria-describedby={classNames(problem && `${id}-error`, `${id}-hint`)}
              onClick={() => input.current?.click()}
            >
              <ImageUp />
              {selectLabel ?? (shown === null ? 'Select picture' : 'Select another picture')}
            </Button>
            {onRemove && shown !== null && (
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
            {file !== null && <p className="wrap-anywhere">Selected: {file.name}</p>}
            {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
          </div>
          {children}
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
  emptyLabel: string | undefined;
}

/** Nothing is shown for a file that the browser can't draw; the server decides whether it is a picture. */
function Preview({ address, alt, shape, emptyLabel }: PreviewProps) {
  const [isBroken, setIsBroken] = useState(false);
  const { ratio, fit, Icon } = SHAPES[shape];
  const frame = `${ratio} w-21 flex-none self-start overflow-hidden rounded-control border border-line-2 bg-sunken`;
  if (address !== null && !isBroken) {
    return <img src={address} alt={alt} className={`${frame} ${fit}`} onError={() => setIsBroken(true)} />;
  }
  return (
    <div
      {...(emptyLabel === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': emptyLabel })}
      className={`grid place-items-center text-fg-3 ${frame}`}
    >
      <Icon className="size-9" strokeWidth={1.25} aria-hidden="true" />
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
