import { Outlet } from '@tanstack/react-router';
import { FlashArea } from './flash.tsx';
import { LoadingOverlay } from './loading-overlay.tsx';

/** What every page has, signed in or not: the page, the flash and the loading overlay. */
export function Root() {
  return (
    <>
      <Outlet />
      <FlashArea />
      <LoadingOverlay />
    </>
  );
}
