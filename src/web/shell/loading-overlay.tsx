import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Key } from '../ui/small-parts.tsx';
import { useModal } from '../ui/use-modal.ts';
import { useIsWriting } from './pending-writes.ts';

/** Quick answers must not flicker. */
const DELAY = 150;
const BELL = [14, 24, 58, 86, 100, 78, 50, 26, 12];

interface BarStyle extends CSSProperties {
  '--height': number;
  '--k': number;
}

/** A page's own read that has nothing to show yet; what is refreshed behind a shown page does not cover it. */
const isFirstPageRead = (query: Query) => query.meta?.isPageRead === true && query.state.status === 'pending';

function useIsLong(isBusy: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setIsLong(true), DELAY);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isBusy]);
  return isBusy && isLong;
}

/** Covers everything while a page's data loads or a save runs. Only reads can be cancelled. */
export function LoadingOverlay() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isReading = useIsFetching({ predicate: isFirstPageRead }) > 0;
  const isWriting = useIsWriting();
  const isShown = useIsLong(isReading || isWriting);
  const canCancel = isReading && !isWriting;
  const dialog = useModal(isShown);

  const cancel = () => {
    const onCourses = window.location.pathname.startsWith('/courses');
    void queries.cancelQueries({ predicate: isFirstPageRead });
    void navigate({ to: onCourses ? '/courses' : '/students' });
  };

  const what = isWriting
    ? 'Processing'
    : loadingText(queries.getQueryCache().findAll({ fetchStatus: 'fetching' }));
  return (
    <dialog
      ref={dialog}
      aria-label={what}
      className="layer loading"
      onCancel={(event) => {
        event.preventDefault();
        if (canCancel) cancel();
      }}
      // Browsers close a dialog at a second Escape whatever the page says; a running save stays covered.
      onClose={() => {
        if (isShown) dialog.current?.showModal();
      }}
    >
      {isShown && (
        <div className="grid justify-items-center gap-3.5 text-center">
          <Bell />
          <p className="font-[560]">{what}</p>
          {canCancel && (
            <>
              <p className="-mt-2 text-fg-2 text-label">
                Press <Key>Esc</Key> to cancel
              </p>
              <Button size="sm" onClick={cancel}>
                Cancel
              </Button>
            </>
          )}
        </div>
      )}
    </dialog>
  );
}

function loadingText(queries: readonly Query[]): string {
  const what = queries.find(isFirstPageRead)?.meta?.loading;
  return typeof what === 'string' ? `Loading ${what}` : 'Loading';
}

function Bell() {
  return (
    <div
      className="loading-bars flex h-10 w-42 items-end justify-center gap-1 border-plot-axis border-b"
      aria-hidden="true"
    >
      {BELL.map((height, k) => {
        const style: BarStyle = { '--height': height, '--k': k };
        return <i key={height} style={style} />;
      })}
    </div>
  );
}
