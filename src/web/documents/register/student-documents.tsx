import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { callAddress } from '../../lib/call.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { saveServerFile } from '../../ui/save-file.ts';
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

const CALLS = {
  pdf: 'GET /api/students/:id/own-copy.pdf',
  json: 'GET /api/students/:id/own-copy',
} as const;
type Format = keyof typeof CALLS;

/** All that is held about a student, as files to hand to them. For administrators. */
function OwnCopy({ studentId }: { studentId: string }) {
  const [saving, setSaving] = useState<Format>();
  const save = async (format: Format) => {
    await saveServerFile(
      callAddress(CALLS[format], { params: { id: studentId } }),
      `copy-of-${studentId}.${format}`,
      'The copy has been saved. The history has an entry for it.',
      () => setSaving(format),
    );
    setSaving(undefined);
  };
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2">
      <p className="me-2 text-fg-2">The student's own copy, with all that is held about them:</p>
      <Button size="sm" processing={saving === 'pdf'} onClick={() => void save('pdf')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Own copy as PDF
      </Button>
      <Button size="sm" processing={saving === 'json'} onClick={() => void save('json')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Own copy as JSON
      </Button>
    </div>
  );
}
