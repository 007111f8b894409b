import { queryOptions, skipToken } from '@tanstack/react-query';
import type { StudentPage, StudentView } from '../../contract/student-list.ts';
import { call } from '../api.ts';
import { type KnownPages, NOTHING_KNOWN, type PageStart, withPage } from './list-pages.ts';
import { pagePath } from './list-view.ts';

/** Rows stay at hand this long after they have been scrolled away, and their pages' beginnings longer. */
const ROWS_KEPT_MS = 120_000;
const PAGES_KEPT_MS = 3_600_000;
/** Scrolling to and fro does not ask for the same rows again and again. */
const FRESH_MS = 20_000;

/** What is known of the pages of a view. Filled by {@link studentPageQuery}; no read of its own. */
export const knownPagesQuery = (view: StudentView) =>
  queryOptions<KnownPages>({
    queryKey: ['students', 'known-pages', view],
    queryFn: skipToken,
    gcTime: PAGES_KEPT_MS,
    structuralSharing: false,
  });

/** The rows of one page. */
export const studentPageQuery = (view: StudentView, start: PageStart) =>
  queryOptions({
    queryKey: ['students', 'list', view, start.cursor ?? null, start.limit],
    queryFn: async ({ signal, client }) => {
      const page = await call<StudentPage>('GET', pagePath(view, start.cursor, start.limit), { signal });
      client.setQueryData<KnownPages>(knownPagesQuery(view).queryKey, (pages = NOTHING_KNOWN) =>
        withPage(pages, start, page),
      );
      return page;
    },
    gcTime: ROWS_KEPT_MS,
    staleTime: FRESH_MS,
  });
