import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDay, formatTime } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';

/** The first line of what is printed: from which product, when and by whom. */
export function PrintHead() {
  const user = useCurrentUser();
  const [now, setNow] = useState(() => new Date().toISOString());
  useEffect(() => {
    // At once: the browser draws the paper right after this event.
    const update = () => flushSync(() => setNow(new Date().toISOString()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return (
    <p className="print-only mb-4 border-line border-b pb-1.5 text-caption">
      Student Information Management System. Printed on {formatDay(now)}, {formatTime(now)}, by {user?.name}.
    </p>
  );
}
