import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCurrentUser } from '../../lib/session.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { registerQuery } from '../document-queries.ts';
import { DocumentsTable } from './documents-table.tsx';
import { OwnCopy } from './own-copy.tsx';

/** The latest documents of a student in the register, on their record. */
export function StudentDocuments({ studentId }: { studentId: string }) {
  const query = useInfiniteQuery(registerQuery({ student_id: studentId }));
  const documents = query.data?.pages.flat();
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <>
      <LoadError query={query} />
      {documents?.length === 0 && <p className="text-fg-3">Nothing has been issued yet.</p>}
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
      {isAdmin && <OwnCopy studentId={studentId} />}
    </>
  );
}
