import { Link } from '@tanstack/react-router';
import { Ban, Check, Download, Files, Layers } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { IssuedDocument } from '../../../contract/documents/documents.ts';
import { documentFileName } from '../../../domain/documents/file-name.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { callAddress } from '../../lib/call.ts';
import { formatDateTime, formatDay } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { saveServerFile } from '../../ui/save-file.ts';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { STATE_NAMES, semestersText } from '../document-words.ts';
import { BatchDialog } from '../issue/issue-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import './register.css';

interface DocumentsTableProps {
  label: string;
  documents: readonly IssuedDocument[];
  /** Whether a column names the students. */
  hasStudents?: boolean;
}

/** Issued documents. Below 768 px each one is a card. */
export function DocumentsTable({ label, documents, hasStudents = false }: DocumentsTableProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [revoking, setRevoking] = useState<IssuedDocument>();
  const [batchId, setBatchId] = useState<number>();
  return (
    <TableContainer>
      <table {...TABLE_ROLE} aria-label={label} className="tbl documents-table">
        <thead {...ROW_GROUP_ROLE}>
          <tr {...ROW_ROLE}>
            <Head>Serial</Head>
            {hasStudents && <Head>Student</Head>}
            <Head>Document</Head>
            <Head>Issued</Head>
            <Head>For</Head>
            <Head>State</Head>
            <Head>
              <span className="sr-only">Actions</span>
            </Head>
          </tr>
        </thead>
        <tbody {...ROW_GROUP_ROLE}>
          {documents.map((issued) => (
            <tr key={issued.serial} {...ROW_ROLE}>
              <td {...CELL_ROLE} className="whitespace-nowrap font-mono">
                {issued.serial}
              </td>
              {hasStudents && (
                <td {...CELL_ROLE} className="strong wrap-anywhere">
                  <Link
                    to="/students/$studentId"
                    params={{ studentId: issued.student_id }}
                    className="inline-block min-h-6 hover:text-ink-text hover:underline"
                  >
                    <bdi>{issued.student_name}</bdi>
                  </Link>
                  <span className="block font-normal text-fg-3 text-label">{issued.student_id}</span>
                </td>
              )}
              <td {...CELL_ROLE}>
                <span className="block text-fg">{DOCUMENT_TITLES[issued.kind]}</span>
                <span className="block text-fg-3 text-label first-letter:uppercase">
                  {semestersText(issued.kind, issued.semester)}
                </span>
              </td>
              <td {...CELL_ROLE} className="wrap-anywhere">
                <time dateTime={issued.issued_at} className="whitespace-nowrap">
                  {formatDateTime(issued.issued_at)}
                </time>
                <span className="block text-fg-3 text-label">{issued.issued_by.name}</span>
              </td>
              <td {...CELL_ROLE} className="documents-for wrap-anywhere">
                {issued.to}
                {issued.purpose !== null && (
                  <span className="block text-fg-3 text-label">{issued.purpose}</span>
                )}
              </td>
              <td {...CELL_ROLE} className="documents-state wrap-anywhere">
                <StateTag state={issued.state} />
                {issued.revoked && (
                  <span className="mt-0.5 block text-fg-3 text-label">
                    {formatDay(issued.revoked.at)}
                    {issued.revoked.by && `, ${issued.revoked.by.name}`}: {issued.revoked.reason}
                  </span>
                )}
              </td>
              <td {...CELL_ROLE} className="documents-actions num whitespace-nowrap">
                <IconButton
                  label={`Save ${issued.serial}`}
                  title="Save PDF"
                  onClick={() =>
                    void saveServerFile(
                      callAddress('GET /api/documents/:serial.pdf', { params: { serial: issued.serial } }),
                      documentFileName(issued.kind, issued.student_id, issued.serial),
                      `${issued.serial} has been saved.`,
                    )
                  }
                >
                  <Download strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
                {hasStudents && (
                  <IconButton
                    label={`Documents issued together with ${issued.serial}`}
                    title="Issued together"
                    onClick={() => setBatchId(issued.batch_id)}
                  >
                    <Layers strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                )}
                {isAdmin && issued.state !== 'revoked' && (
                  <IconButton
                    label={`Revoke ${issued.serial}`}
                    title="Revoke"
                    onClick={() => setRevoking(issued)}
                  >
                    <Ban strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                )}
                {/* The icons of all rows stand below each other. */}
                {isAdmin && issued.state === 'revoked' && (
                  <span className="inline-block size-8 pointer-coarse:size-10" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoking && <RevokeDialog issued={revoking} onClose={() => setRevoking(undefined)} />}
      {batchId !== undefined && <BatchDialog batchId={batchId} onClose={() => setBatchId(undefined)} />}
    </TableContainer>
  );
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" {...COLUMN_HEADER_ROLE}>
      {children}
    </th>
  );
}

const STATE_TAGS = {
  valid: { tone: 'ok', icon: <Check aria-hidden="true" /> },
  superseded: { tone: 'warn', icon: <Files aria-hidden="true" /> },
  revoked: { tone: 'danger', icon: <Ban aria-hidden="true" /> },
} as const;

function StateTag({ state }: Pick<IssuedDocument, 'state'>) {
  return <Tag {...STATE_TAGS[state]}>{STATE_NAMES[state]}</Tag>;
}
