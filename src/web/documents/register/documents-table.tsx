import { Link } from '@tanstack/react-router';
import { Ban, Check, Download, Files, Layers } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { IssuedDocument } from '../../../contract/documents/documents.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
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
import { documentPath } from '../document-queries.ts';
import { STATE_NAMES, semestersText } from '../document-words.ts';
import { BatchDialog } from '../issue/issue-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import './register.css';

interface DocumentsTableProps {
  label: string;
  papers: readonly IssuedDocument[];
  /** Whose they are. */
  hasStudents?: boolean;
}

/** Issued papers. Below 768 px each one is a card. */
export function DocumentsTable({ label, papers, hasStudents = false }: DocumentsTableProps) {
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
          {papers.map((paper) => (
            <tr key={paper.serial} {...ROW_ROLE}>
              <td {...CELL_ROLE} className="whitespace-nowrap font-mono">
                {paper.serial}
              </td>
              {hasStudents && (
                <td {...CELL_ROLE} className="strong wrap-anywhere">
                  <Link
                    to="/students/$studentId"
                    params={{ studentId: paper.student_id }}
                    className="inline-block min-h-6 hover:text-ink-text hover:underline"
                  >
                    <bdi>{paper.student_name}</bdi>
                  </Link>
                  <span className="block font-normal text-fg-3 text-label">{paper.student_id}</span>
                </td>
              )}
              <td {...CELL_ROLE}>
                <span className="block text-fg">{DOCUMENT_TITLES[paper.kind]}</span>
                <span className="block text-fg-3 text-label first-letter:uppercase">
                  {semestersText(paper.kind, paper.semester)}
                </span>
              </td>
              <td {...CELL_ROLE} className="wrap-anywhere">
                <time dateTime={paper.issued_at} className="whitespace-nowrap">
                  {formatDateTime(paper.issued_at)}
                </time>
                <span className="block text-fg-3 text-label">{paper.issued_by.name}</span>
              </td>
              <td {...CELL_ROLE} className="documents-for wrap-anywhere">
                {paper.to}
                {paper.purpose !== null && (
                  <span className="block text-fg-3 text-label">{paper.purpose}</span>
                )}
              </td>
              <td {...CELL_ROLE} className="documents-state wrap-anywhere">
                <StateTag state={paper.state} />
                {paper.revoked && (
                  <span className="mt-0.5 block text-fg-3 text-label">
                    {formatDay(paper.revoked.at)}
                    {paper.revoked.by && `, ${paper.revoked.by.name}`}: {paper.revoked.reason}
                  </span>
                )}
              </td>
              <td {...CELL_ROLE} className="documents-actions num whitespace-nowrap">
                <IconButton
                  label={`Save ${paper.serial}`}
                  title="Save PDF"
                  onClick={() =>
                    void saveServerFile(
                      `${documentPath(paper.serial)}.pdf`,
                      `${paper.student_id}-${paper.kind}-${paper.serial}.pdf`,
                      `${paper.serial} has been saved.`,
                    )
                  }
                >
                  <Download strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
                {hasStudents && (
                  <IconButton
                    label={`Documents issued together with ${paper.serial}`}
                    title="Issued together"
                    onClick={() => setBatchId(paper.batch_id)}
                  >
                    <Layers strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                )}
                {isAdmin && (
                  <IconButton
                    label={`Revoke ${paper.serial}`}
                    title="Revoke"
                    className={paper.state === 'revoked' ? 'invisible' : undefined}
                    onClick={() => setRevoking(paper)}
                  >
                    <Ban strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoking && <RevokeDialog paper={revoking} onClose={() => setRevoking(undefined)} />}
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
