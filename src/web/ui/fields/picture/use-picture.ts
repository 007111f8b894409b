import { useEffect, useState } from 'react';
import { fetchBlob } from '../../../lib/api.ts';

/** An object URL of a picture on the server; null until loaded. Pictures need a sign-in, like every call. */
export function usePicture(path: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (path === null) return;
    const reading = new AbortController();
    let made: string | null = null;
    fetchBlob(path, reading.signal).then(
      (file) => {
        if (reading.signal.aborted) return;
        made = URL.createObjectURL(file);
        setAddress(made);
      },
      // A picture that can't be loaded leaves its placeholder; the record is still usable.
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
