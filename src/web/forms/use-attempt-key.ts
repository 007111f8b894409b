import { useRef } from 'react';

/**
 * Names an attempt to create something. The same values get the same key, so that a save whose answer was lost can be
 * repeated without creating the thing twice; changed values are another attempt.
 */
export function useAttemptKey() {
  const last = useRef({ sent: '', key: '' });
  return (body: unknown): string => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: randomKey() };
    return last.current.key;
  };
}

/** Not `randomUUID`, which is missing on plain http addresses of a campus network. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
