import { Outlet } from '@tanstack/react-router';
import { FlashArea } from '../ui/flash.tsx';
import { LoadingOverlay } from './loading-overlay.tsx';

/** Around every page, signed in or not: the flash message and the loading overlay. */
export function Root() {
  return (
    <>
      <Outlet />
      <FlashArea />
      <LoadingOverlay />
    </>
  );
}
