import { type ComponentProps, useState } from 'react';
import { Button } from './button.tsx';
import { saveServerFile } from './save-file.ts';

interface SaveFileButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'processing' | 'name'> {
  path: string;
  /** The name of the file. */
  name: string;
  /** Shown when it is saved. */
  done: string;
}

/** Saves a file of the server and shows the result. */
export function SaveFileButton({ path, name, done, ...button }: SaveFileButtonProps) {
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    await saveServerFile(path, name, done, () => setIsSaving(true));
    setIsSaving(false);
  };
  return <Button {...button} processing={isSaving} onClick={() => void save()} />;
}
