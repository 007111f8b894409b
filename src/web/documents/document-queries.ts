import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { DocumentsPreviewInput } from '../../contract/documents/documents.ts';
import { call } from '../lib/call.ts';
import type { RegisterSearchParams } from './register/search-params.ts';

/** How often the progress is read again while documents are issued. */
const PROGRESS_INTERVAL_MS = 1000;
/** Documents that are read at once. */
const DOCUMENTS_PER_CALL = 50;

/** Everything cached of the register. */
export const REGISTER_KEY = ['documents', 'register'] as const;

/** The register, the latest document first. */
export const registerQuery = (filter: RegisterSearchParams) =>
  infiniteQueryOptions({
    queryKey: [...REGISTER_KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/documents', {
        query: { ...filter, before: pageParam, limit: DOCUMENTS_PER_CALL },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < DOCUMENTS_PER_CALL ? null : (page.at(-1)?.serial ?? null)),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The institution, without whose name no official document is issued. */
export const issuingInstitutionQuery = queryOptions({
  queryKey: ['institution', 'issuing'],
  queryFn: ({ signal }) => call('GET /api/institution', { signal, hasOverlay: false }),
  staleTime: 0,
});

/** The students who would get a document; not read while the choice is incomplete. */
export const issuePreviewQuery = (request: DocumentsPreviewInput | undefined) =>
  queryOptions({
    queryKey: ['documents', 'preview', request],
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) => call('POST /api/documents/preview', { body: request, signal, hasOverlay: false }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const batchQuery = (batchId: number) =>
  queryOptions({
    queryKey: ['documents', 'batch', batchId],
    queryFn: ({ signal }) =>
      call('GET /api/documents/batches/:batch_id', { params: { batch_id: batchId }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? PROGRESS_INTERVAL_MS : false),
  });
