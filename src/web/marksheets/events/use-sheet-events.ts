import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CellsEvent, PeopleEvent, StateEvent } from '../../../contract/marksheets/sheets.ts';
import { ApiError, fetchStream, parseEvent } from '../../lib/api.ts';
import { callAddress } from '../../lib/call.ts';
import { useCurrentUser } from '../../lib/session.ts';
import type { Person } from '../sheet-context.tsx';
import { invalidateSheet, mergeRows, sheetQuery } from '../sheet-queries.ts';
import { createEventParser, type StreamedEvent } from './event-stream.ts';

/** After a lost connection, in milliseconds; doubles up to the longest. */
const RECONNECT_AFTER_MS = { first: 1000, longest: 15_000 } as const;
/** The server gives a sign of life every ten seconds. After this time without one, the connection is taken for dead. */
const SILENCE_MS = 35_000;

/** Puts what others change into the cached sheet while it is open, and says who they are. */
export function useSheetEvents(sheetId: number): { others: readonly Person[]; isLive: boolean } {
  const queries = useQueryClient();
  const user = useCurrentUser();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const [isLive, setIsLive] = useState(false);

  useEffect(() => {
    let isFirst = true;
    const handle = ({ name, data }: StreamedEvent) => {
      if (name === 'cells') mergeRows(queries, sheetId, parseEvent<CellsEvent>(data));
      else if (name === 'people') setPeople(parseEvent<PeopleEvent>(data).people);
      else if (name === 'state') {
        const { version } = parseEvent<StateEvent>(data);
        const read = queries.getQueryData(sheetQuery(sheetId).queryKey)?.readVersion;
        // The first event of a stream has the version after which it reports changes.
        if (!isFirst || read !== version) void invalidateSheet(queries, sheetId);
        isFirst = false;
      }
    };
    const ended = new AbortController();
    const run = async () => {
      let wait: number = RECONNECT_AFTER_MS.first;
      while (!ended.signal.aborted) {
        try {
          await readEvents(sheetId, ended.signal, {
            onOpen: () => {
              wait = RECONNECT_AFTER_MS.first;
              isFirst = true;
              setIsLive(true);
            },
            onEvent: handle,
          });
        } catch (error) {
          // Refused for good: the session has ended, or the sheet is gone.
          if (
            error instanceof ApiError &&
            error.status >= 400 &&
            error.status < 500 &&
            error.status !== 429
          ) {
            break;
          }
        }
        setIsLive(false);
        setPeople([]);
        await pause(wait, ended.signal);
        wait = Math.min(2 * wait, RECONNECT_AFTER_MS.longest);
      }
    };
    void run();
    return () => ended.abort();
  }, [queries, sheetId]);

  return { others: people.filter(({ id }) => id !== user?.id), isLive };
}

interface StreamHandlers {
  onOpen: () => void;
  onEvent: (event: StreamedEvent) => void;
}

/** Returns when the stream has ended; throws when it could not be opened or was cut off. */
async function readEvents(
  sheetId: number,
  signal: AbortSignal,
  { onOpen, onEvent }: StreamHandlers,
): Promise<void> {
  const silent = new AbortController();
  // `AbortSignal.any` is newer than the oldest stated browsers.
  signal.addEventListener('abort', () => silent.abort(), { signal: silent.signal });
  try {
    const path = callAddress('GET /api/sheets/:sheet_id/events', { params: { sheet_id: sheetId } });
    const { body } = await fetchStream('GET', path, { signal: silent.signal });
    if (body === null) return;
    onOpen();
    const parse = createEventParser();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const timer = setTimeout(() => silent.abort(), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      for (const event of parse(value)) onEvent(event);
    }
  } finally {
    silent.abort();
  }
}

/** Shorter when the network comes back, or once `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
