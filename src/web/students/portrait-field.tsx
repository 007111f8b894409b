import type { DraftForm } from '../forms/form-field.ts';
import { PictureField } from '../ui/picture-field.tsx';
import { usePicture } from '../ui/use-picture.ts';
import { portraitPath } from './portrait-path.ts';
import { STUDENT_LABELS } from './student-labels.ts';
import type { StudentValues } from './student-values.ts';
import type { PortraitFile } from './use-portrait-file.ts';

interface PortraitFieldProps {
  form: DraftForm<keyof StudentValues>;
  portrait: PortraitFile;
}

export function PortraitField({ form, portrait: { file, choose, lostName } }: PortraitFieldProps) {
  const stored = usePicture(portraitPath(form.values.img));
  return (
    <PictureField
      label={STUDENT_LABELS.img_file}
      name="img_file"
      subject="student portrait"
      file={file}
      onFile={choose}
      picture={stored}
      onRemove={() => (file === null ? form.setValue('img', '') : choose(null))}
      error={form.errors.img_file}
      hint={
        lostName !== null && (
          <p className="wrap-anywhere">{lostName} could not be kept with what you typed. Choose it again.</p>
        )
      }
    />
  );
}
