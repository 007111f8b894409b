import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { callAddress } from '../../lib/call.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { SaveFileButton } from '../../ui/save-file-button.tsx';
import { registerQuery } from '../document-queries.ts';
import { DocumentsTable } from './documents-table.tsx';

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

const OWN_COPIES = [
  { format: 'pdf', name: 'PDF', key: 'GET /api/students/:id/own-copy.pdf' },
  { format: 'json', name: 'JSON', key: 'GET /api/students/:id/own-copy' },
] as const;

/** All that is held about a student, as files to hand to them. For administrators. */
const OwnCopy = ({ studentId }: { studentId: string }) => (
  <div className="mt-5 flex flex-wrap items-center gap-2">
    <p className="me-2 text-fg-2">The student's own copy, with all that is held about them:</p>
    {OWN_COPIES.map(({ format, name, key }) => (
      <SaveFileButton
        key={format}
        size="sm"
        path={callAddress(key, { params: { id: studentId } })}
        name={`copy-of-${studentId}.${format}`}
        done="The copy has been saved. The history has an entry for it."
      >
        <Download />
        {`Own copy as ${name}`}
      </SaveFileButton>
    ))}
  </div>
);
