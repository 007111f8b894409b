import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useCurrentUser } from '../../lib/session.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { registerQuery } from '../document-queries.ts';
import { OWN_COPIES, saveOwnCopy } from '../own-copy.ts';
import { DocumentsTable } from './documents-table.tsx';

/** The latest documents of a student in the register, and what is held about them. */
export function StudentDocuments({ studentId }: { studentId: string }) {
  const query = useInfiniteQuery(registerQuery({ student_id: studentId }));
  const documents = query.data?.pages.flat();
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <>
      <LoadError query={query} />
      {documents?.length === 0 && (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="Nothing has been issued yet."
            text="Transcripts, result cards and certificates of this student will be listed here."
          />
        </div>
      )}
      {documents !== undefined && documents.length > 0 && (
        <>
          <DocumentsTable label="Documents of the student" documents={documents} />
          <Link
            to="/documents"
            search={{ student_id: studentId }}
            className="link mt-3 inline-flex min-h-6 items-center"
          >
            Open in the register
          </Link>
        </>
      )}
      {isAdmin && (
        <p className="screen-only mt-3 text-fg-2">
          Everything held about this student:{' '}
          {OWN_COPIES.map(({ format, name }, i) => (
            <Fragment key={format}>
              {i > 0 && ', '}
              <button
                type="button"
                className="link inline-flex min-h-6 items-center"
                onClick={() => void saveOwnCopy(studentId, format)}
              >
                {name}
              </button>
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}
