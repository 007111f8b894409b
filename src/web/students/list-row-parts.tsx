import { Button } from '../ui/button.tsx';

/** Stands for the height of rows that are not drawn. One cell only: a span over hidden columns would bring them back. */
export function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className="max-md:block" style={{ height }}>
      <td className="h-0 border-0 p-0" />
    </tr>
  );
}

/** In the first of the rows that have not come. */
export function NotLoaded({ onAgain }: { onAgain: () => void }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-danger-text" role="alert">
      More students could not be loaded.
      <Button size="sm" className="text-fg" onClick={onAgain}>
        Try again
      </Button>
    </span>
  );
}
