import { useQueryClient } from '@tanstack/react-query';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { resetOpenings } from '../../settings/openings/opening-queries.ts';

/** Undoes an opening at once, as it is now: for the message that follows it. */
export function useUndoOpening() {
  const queries = useQueryClient();
  return useTask({
    run: async (openingId: number) => {
      const params = { opening_id: openingId };
      const { fingerprint } = await call('GET /api/openings/:opening_id/undo', { params });
      return call('POST /api/openings/:opening_id/undo', { params, body: { fingerprint } });
    },
    failure: 'The opening could not be undone. Try again.',
    flashesProblem: true,
    onDone: () => resetOpenings(queries),
  });
}
