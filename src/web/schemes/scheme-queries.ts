import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { SchemeSummary } from '../../contract/schemes/schemes.ts';
import { call, callWithVersion } from '../lib/call.ts';

/** Drafts, then the highest number first. */
export const schemesQuery = queryOptions({
  queryKey: ['schemes', 'list'],
  queryFn: ({ signal }) => call('GET /api/schemes', { signal }),
});

/** A scheme with its version. Not cached: an editor must start from the stored rows. */
export const schemeQuery = (schemeId: number) =>
  queryOptions({
    queryKey: ['schemes', 'one', schemeId],
    queryFn: ({ signal }) =>
      callWithVersion('GET /api/schemes/:scheme_id', { params: { scheme_id: schemeId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** What putting a draft in force would change. Not cached: it has to be that of now. */
export const schemePreviewQuery = (schemeId: number) =>
  queryOptions({
    queryKey: ['schemes', 'preview', schemeId],
    queryFn: ({ signal }) =>
      call('GET /api/schemes/:scheme_id/preview', { params: { scheme_id: schemeId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

export const equivalentsQuery = queryOptions({
  queryKey: ['schemes', 'equivalents'],
  queryFn: ({ signal }) => call('GET /api/equivalents', { signal }),
});

/** Whose figures the removal of a pair would change. Not cached, and not read again with the others once the pair is gone. */
export const removalQuery = (equivalentId: number) =>
  queryOptions({
    queryKey: ['equivalent-removal', equivalentId],
    queryFn: ({ signal }) =>
      call('GET /api/equivalents/:equivalent_id/removal', {
        params: { equivalent_id: equivalentId },
        signal,
      }),
    gcTime: 0,
    staleTime: 0,
  });

/** A new scheme in force, or other equivalents, may change the audit and the figures of any student. */
export function invalidateAudits(queries: QueryClient): void {
  for (const queryKey of [['schemes'], ['students'], ['reports']]) {
    queries.removeQueries({ queryKey, type: 'inactive' });
    void queries.invalidateQueries({ queryKey });
  }
}

/** The scheme in force for a class: of those for it the highest number. The list has it first. */
export const findInForce = (
  schemes: readonly SchemeSummary[],
  of: { department: string; degree: string },
): SchemeSummary | undefined =>
  schemes.find(
    ({ number, department, degrees }) =>
      number !== null && department === of.department && (degrees?.includes(of.degree) ?? true),
  );

/** `all`, or the batches with commas. */
export const batchList = (degrees: readonly string[] | null): string => degrees?.join(', ') ?? 'all';

/** The batches that were typed with commas or spaces; null for none, which means all. */
export function parseBatches(typed: string): string[] | null {
  const batches = typed.split(/[\s,;]+/).filter(Boolean);
  return batches.length === 0 ? null : batches;
}

/** `No. 4, BE Computer Engineering 2024`; a draft has no number. */
export const schemeTitle = ({ number, name }: Pick<SchemeSummary, 'number' | 'name'>): string =>
  number === null ? `Draft, ${name}` : `No. ${number}, ${name}`;

export const countTotals = ({ semesters }: Pick<SchemeSummary, 'semesters'>) => ({
  rows: semesters.reduce((sum, { rows }) => sum + rows, 0),
  credits: semesters.reduce((sum, { credits }) => sum + credits, 0),
});
