import { useRef } from 'react';

/**
 * The `Idempotency-Key` of a create. The same values get the same key, so that a save whose response was lost can be
 * repeated without creating a duplicate; changed values get a new key.
 */
export function useIdempotencyKey() {
  const last = useRef({ sent: '', key: '' });
  return (body: unknown): string => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: randomKey() };
    return last.current.key;
  };
}

/** `crypto.randomUUID` is missing on plain http origins, e.g. in a campus network. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
