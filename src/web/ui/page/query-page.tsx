import type { ReactNode } from 'react';
import { LoadError, type LoadErrorProps } from './load-error.tsx';
import { Page, type PageProps } from './page.tsx';

interface QueryPageProps<Data> extends Pick<PageProps, 'width'> {
  query: LoadErrorProps['query'] & { data: Data | undefined };
  /** The header while there is no content. */
  header: ReactNode;
  /** The content, with its own header; nothing where the answer has no record. */
  children: (data: NonNullable<Data>) => ReactNode;
}

/** A page of what a query reads. Until then, and where it fails, the header with the error. */
export function QueryPage<Data>({ query, width, header, children }: QueryPageProps<Data>) {
  const content = query.data === undefined || query.data === null ? null : children(query.data);
  return (
    <Page width={width}>
      {content || (
        <>
          {header}
          <LoadError query={query} />
        </>
      )}
    </Page>
  );
}
