import { useEffect, useState } from 'react';
import { readFile } from '../api.ts';

/** Address to draw a picture of this server from; null until it is there. Pictures need a sign-in, like every call. */
export function usePicture(path: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (path === null) return;
    const reading = new AbortController();
    let made: string | null = null;
    readFile(path, reading.signal).then(
      (file) => {
        if (reading.signal.aborted) return;
        made = URL.createObjectURL(file);
        setAddress(made);
      },
      // A picture that can't be read leaves its placeholder; the record does not depend on it.
      () => undefined,
    );
    return () => {
      reading.abort();
      if (made !== null) URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [path]);
  return address;
}
