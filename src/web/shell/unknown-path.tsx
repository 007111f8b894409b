import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

/** An address that no route knows stands outside the shell's own routes, so it brings the shell along. */
export function UnknownPath() {
  return (
    <Shell>
      <NotFoundPage />
    </Shell>
  );
}
