import { useParams } from '@tanstack/react-router';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { useCurrentUser } from '../lib/session.ts';
import { PageHeader } from '../ui/page/page.tsx';
import { QueryPage } from '../ui/page/query-page.tsx';
import { DraftPage } from './draft/draft-page.tsx';
import { PublishedScheme } from './published-scheme.tsx';
import { schemeQuery } from './scheme-queries.ts';

/** One scheme: as it is printed, or the editor of a draft for administrators. */
export function SchemePage() {
  const { schemeId } = useParams({ strict: false });
  const isAdmin = useCurrentUser()?.role === 'admin';
  const query = usePageQuery({ ...schemeQuery(Number(schemeId)), loading: 'scheme' });
  usePageSubject(query.data?.body.name);
  return (
    <QueryPage width="wide" query={query} header={<PageHeader title="Scheme" />}>
      {({ body, version }) =>
        isAdmin && body.number === null ? (
          <DraftPage key={`${schemeId} ${version}`} scheme={body} version={version} />
        ) : (
          <PublishedScheme key={schemeId} scheme={body} />
        )
      }
    </QueryPage>
  );
}
