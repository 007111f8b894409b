import { UserRound } from 'lucide-react';
import { usePicture } from '../ui/use-picture.ts';
import { portraitPath } from './portrait-path.ts';

const frame =
  'aspect-35/45 w-17 flex-none overflow-hidden rounded-control border border-line-2 bg-sunken text-fg-3 xs:w-21';

/** The picture of a student. */
export function Portrait({ img, name }: { img: string | null; name: string }) {
  const picture = usePicture(portraitPath(img));
  if (picture !== null) {
    return <img src={picture} alt={`Portrait of ${name}`} className={`${frame} object-cover`} />;
  }
  return (
    <div role="img" aria-label="No portrait yet" className={`grid place-items-center ${frame}`}>
      <UserRound className="size-9" strokeWidth={1.25} aria-hidden="true" />
    </div>
  );
}
