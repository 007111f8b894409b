import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDay, formatTime } from '../lib/format.ts';
import { PRODUCT } from '../lib/navigation/navigation.ts';
import { institutionNameQuery } from '../lib/printing/institution-name.ts';
import { printPageHead } from '../lib/printing/page-head.ts';
import { useCurrentUser } from '../lib/session.ts';

/** The first line of what is printed: from which institution, when and by whom. Further pages have the title of the screen. */
export function PrintHead() {
  const user = useCurrentUser();
  const name = useQuery(institutionNameQuery).data ?? PRODUCT;
  const [now, setNow] = useState(() => new Date().toISOString());
  useEffect(() => {
    // At once: the browser draws the paper right after this event.
    const update = () => flushSync(() => setNow(new Date().toISOString()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  useEffect(() => printPageHead(() => document.title.replace(PRODUCT, name)), [name]);
  return (
    <p className="print-only mb-4 border-line border-b pb-1.5 text-caption">
      <b className="font-semibold">{name}</b>. Printed on {formatDay(now)}, {formatTime(now)}, by {user?.name}
      .
    </p>
  );
}
