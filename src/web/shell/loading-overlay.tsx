import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useState } from 'react';
import { useHasPendingWrites } from '../lib/pending-writes.ts';
import { Button } from '../ui/button.tsx';
import { useModal } from '../ui/dialog/use-modal.ts';
import { Kbd } from '../ui/kbd.tsx';

/** In milliseconds; fast responses must not make the overlay flicker. */
const DELAY_MS = 150;
const BAR_HEIGHTS = [14, 24, 58, 86, 100, 78, 50, 26, 12];

interface BarStyle extends CSSProperties {
  '--height': number;
  '--k': number;
}

/** A page read without data yet; refetches behind a shown page don't count. */
const isFirstPageRead = (query: Query) => query.meta?.isPageRead === true && query.state.status === 'pending';

/** Whether it is time to show the overlay. Waits for open dialogs to close, if any: their fields keep the focus. */
function useDelayedTrue(isBusy: boolean, waitsForDialogs: boolean): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const show = () => {
      if (!waitsForDialogs || document.querySelector('dialog[open]') === null) setIsDue(true);
    };
    const timer = setTimeout(() => {
      show();
      document.addEventListener('close', show, { capture: true });
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('close', show, { capture: true });
      setIsDue(false);
    };
  }, [isBusy, waitsForDialogs]);
  return isBusy && isDue;
}

/** Covers everything while a page's data loads or a save runs. Only reads can be cancelled. */
export function LoadingOverlay() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isReading = useIsFetching({ predicate: isFirstPageRead }) > 0;
  const isWriting = useHasPendingWrites();
  const isShown = useDelayedTrue(isReading || isWriting, !isWriting);
  const canCancel = isReading && !isWriting;
  const dialog = useModal(isShown);

  const cancel = () => {
    const isOnCourses = window.location.pathname.startsWith('/courses');
    void queries.cancelQueries({ predicate: isFirstPageRead });
    void navigate({ to: isOnCourses ? '/courses' : '/students' });
  };

  const label = isWriting
    ? 'Processing'
    : loadingText(queries.getQueryCache().findAll({ fetchStatus: 'fetching' }));
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className="layer loading"
      onCancel={(event) => {
        event.preventDefault();
        if (canCancel) cancel();
      }}
      // A second Escape closes a dialog even if `cancel` is prevented; the overlay must stay during a save.
      onClose={() => {
        if (isShown) dialog.current?.showModal();
      }}
    >
      {isShown && (
        <div className="grid justify-items-center gap-3.5 text-center">
          <LoadingBars />
          <p className="font-[560]">{label}</p>
          {canCancel && (
            <>
              <p className="-mt-2 text-fg-2 text-label">
                Press <Kbd>Esc</Kbd> to cancel
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
  const label = queries.find(isFirstPageRead)?.meta?.loading;
  return typeof label === 'string' ? `Loading ${label}` : 'Loading';
}

function LoadingBars() {
  return (
    <div
      className="loading-bars flex h-10 w-42 items-end justify-center gap-1 border-plot-axis border-b"
      aria-hidden="true"
    >
      {BAR_HEIGHTS.map((height, k) => {
        const style: BarStyle = { '--height': height, '--k': k };
        return <i key={height} style={style} />;
      })}
    </div>
  );
}
