import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { placeOf } from './places.ts';
import { rememberPlace } from './recent-places.ts';

/** Keeps in mind which screens, students and courses are opened. */
export function useRememberPlaces(): void {
  const place = useRouterState({
    select: ({ resolvedLocation }) => placeOf(resolvedLocation?.pathname ?? ''),
  });
  useEffect(() => {
    if (place !== null) rememberPlace(place);
  }, [place]);
}
