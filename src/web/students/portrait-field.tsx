import type { DraftForm } from '../forms/form-field.ts';
import { LostFile } from '../forms/lost-file.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import { PictureField } from '../ui/picture-field.tsx';
import { usePicture } from '../ui/use-picture.ts';
import { portraitPath } from './portrait-path.ts';
import { STUDENT_LABELS } from './student-labels.ts';
import type { StudentValues } from './student-values.ts';

interface PortraitFieldProps {
  form: DraftForm<keyof StudentValues>;
  portrait: ChosenFile;
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
      hint={<LostFile name={lostName} />}
    />
  );
}
