import { Link } from '@tanstack/react-router';
import { Ban, Check, Download, Files, Layers } from 'lucide-react';
import { useState } from 'react';
import type { IssuedDocument } from '../../../contract/documents/documents.ts';
import { documentFileName } from '../../../domain/documents/file-name.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { callAddress } from '../../lib/call.ts';
import { formatDateTime, formatDay } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { saveServerFile } from '../../ui/save-file.ts';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { STATE_NAMES, semestersText } from '../document-labels.ts';
import { BatchDialog } from '../issue/issue-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

interface DocumentsTableProps {
  label: string;
  documents: readonly IssuedDocument[];
  /** Whether a column names the students. */
  hasStudents?: boolean;
}

/** Below 768 px, a part of the card below the serial. */
const LINE = 'wrap-anywhere max-md:col-span-full max-md:empty:hidden';

/** Issued documents. Below 768 px each one is a card: the serial and what can be done over what it is. */
export function DocumentsTable({ label, documents, hasStudents = false }: DocumentsTableProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [revoking, setRevoking] = useState<IssuedDocument>();
  const [batchId, setBatchId] = useState<number>();
  const columns: readonly Column<IssuedDocument>[] = [
    {
      head: 'Serial',
      className: 'whitespace-nowrap font-mono max-md:self-center',
      cell: ({ serial }) => serial,
    },
    ...(hasStudents ? [STUDENT_COLUMN] : []),
    ...COLUMNS,
    {
      head: 'Actions',
      isHeadHidden: true,
      className: 'num whitespace-nowrap max-md:col-start-2 max-md:row-start-1',
      cell: (issued) => (
        <>
          <SaveButton issued={issued} />
          {hasStudents && (
            <IconButton
              label={`Documents issued together with ${issued.serial}`}
              title="Issued together"
              onClick={() => setBatchId(issued.batch_id)}
            >
              <Layers />
            </IconButton>
          )}
          {isAdmin && issued.state !== 'revoked' && (
            <IconButton label={`Revoke ${issued.serial}`} title="Revoke" onClick={() => setRevoking(issued)}>
              <Ban />
            </IconButton>
          )}
          {/* The icons of all rows stand below each other. */}
          {isAdmin && issued.state === 'revoked' && (
            <span className="inline-block size-8 pointer-coarse:size-10" />
          )}
        </>
      ),
    },
  ];
  return (
    <TableContainer>
      <Table label={label} columns={columns} rows={documents} rowKey={({ serial }) => serial} hasCards />
      {revoking && <RevokeDialog issued={revoking} onClose={() => setRevoking(undefined)} />}
      {batchId !== undefined && <BatchDialog batchId={batchId} onClose={() => setBatchId(undefined)} />}
    </TableContainer>
  );
}

const STUDENT_COLUMN: Column<IssuedDocument> = {
  head: 'Student',
  className: `strong ${LINE}`,
  cell: ({ student_id, student_name }) => (
    <>
      <Link
        to="/students/$studentId"
        params={{ studentId: student_id }}
        className="inline-block min-h-6 hover:text-ink-text hover:underline"
      >
        <bdi>{student_name}</bdi>
      </Link>
      <span className="block font-normal text-fg-3 text-label">{student_id}</span>
    </>
  ),
};

const COLUMNS: readonly Column<IssuedDocument>[] = [
  {
    head: 'Document',
    className: LINE,
    cell: ({ kind, semester }) => (
      <>
        <span className="block text-fg">{DOCUMENT_TITLES[kind]}</span>
        <span className="block text-fg-3 text-label first-letter:uppercase">
          {semestersText(kind, semester)}
        </span>
      </>
    ),
  },
  {
    head: 'Issued',
    className: LINE,
    cell: ({ issued_at, issued_by }) => (
      <>
        <time dateTime={issued_at} className="whitespace-nowrap">
          {formatDateTime(issued_at)}
        </time>
        <span className="block text-fg-3 text-label">{issued_by.name}</span>
      </>
    ),
  },
  {
    head: 'For',
    className: LINE,
    cell: ({ to, purpose }) => (
      <>
        {to}
        {purpose !== null && <span className="block text-fg-3 text-label">{purpose}</span>}
      </>
    ),
  },
  {
    head: 'State',
    className: LINE,
    cell: ({ state, revoked }) => (
      <>
        <Tag {...STATE_TAGS[state]}>{STATE_NAMES[state]}</Tag>
        {revoked && (
          <span className="mt-0.5 block text-fg-3 text-label">
            {formatDay(revoked.at)}
            {revoked.by && `, ${revoked.by.name}`}: {revoked.reason}
          </span>
        )}
      </>
    ),
  },
];

function SaveButton({ issued: { serial, kind, student_id } }: { issued: IssuedDocument }) {
  return (
    <IconButton
      label={`Save ${serial}`}
      title="Save PDF"
      onClick={() =>
        void saveServerFile(
          callAddress('GET /api/documents/:serial.pdf', { params: { serial } }),
          documentFileName(kind, student_id, serial),
          `${serial} has been saved.`,
        )
      }
    >
      <Download />
    </IconButton>
  );
}

const STATE_TAGS = {
  valid: { tone: 'ok', icon: <Check aria-hidden="true" /> },
  superseded: { tone: 'warn', icon: <Files aria-hidden="true" /> },
  revoked: { tone: 'danger', icon: <Ban aria-hidden="true" /> },
} as const;
