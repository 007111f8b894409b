import { useState } from 'react';
import { PictureField } from '../ui/picture-field.tsx';
import { ShowcaseSection } from './showcase-parts.tsx';

export function ShowcasePictures() {
  const [file, setFile] = useState<File | null>(null);
  return (
    <ShowcaseSection title="Pictures">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,380px),1fr))] items-start gap-4">
        <PictureField
          label="Picture"
          name="sample_picture"
          subject="picture"
          file={file}
          onFile={setFile}
          picture={null}
          onRemove={() => setFile(null)}
        />
        <PictureField
          label="Error, with a hint"
          name="sample_refused_picture"
          subject="picture"
          file={null}
          onFile={() => undefined}
          picture={null}
          onRemove={() => undefined}
          hint={<p>portrait.jpg could not be kept with what you typed. Choose it again.</p>}
          error="The picture must be at most 5 MiB."
        />
      </div>
    </ShowcaseSection>
  );
}
