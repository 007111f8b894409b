import { Link } from '@tanstack/react-router';
import { BellRing, FilePenLine, Lock } from 'lucide-react';
import { useState } from 'react';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import { GRADE_LETTERS } from '../../../../domain/grading/gpa.ts';
import { formatCount } from '../../../lib/format.ts';
import { useCanFill, useCanWrite, useCurrentUser, useIsTeacher } from '../../../lib/session.ts';
import { ROW_STATUS_NAMES } from '../../../students/student-format.ts';
import { StudentLink } from '../../../students/student-link.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import { GradeBadge, Tag } from '../../../ui/tag.tsx';
import { SheetActions } from '../../sheet-context.tsx';
import { AwardListButton } from '../../sheet-file-buttons.tsx';
import { LetterCounts } from '../confirm-preview.tsx';
import { authorAndTime, SubmissionFacts } from '../submission-facts.tsx';
import { RectifyDialog } from './rectify-dialog.tsx';
import { RecordRemaining, RemainingRows } from './remaining-rows.tsx';

/** The results of a sheet that was confirmed, which only a rectification changes. */
export function ConfirmedSheet({ sheet }: { sheet: Sheet }) {
  const canWrite = useCanWrite();
  const canFill = useCanFill();
  const isTeacher = useIsTeacher();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [isRectifying, setIsRectifying] = useState(false);
  const { term_id, department, degree, semester } = sheet;
  return (
    <div className="grid grid-cols-1 gap-7">
      <SheetActions>
        {canFill && <AwardListButton />}
        {isAdmin && sheet.notification === null && (
          <ButtonLink
            to="/marksheets/notifications"
            search={{ term: String(term_id), department, degree, semester: String(semester) }}
          >
            <BellRing />
            Notify the class
          </ButtonLink>
        )}
        {!isTeacher && <RecordRemaining sheet={sheet} />}
        {canWrite && sheet.rectified_by === null && (
          <Button onClick={() => setIsRectifying(true)}>
            <FilePenLine />
            Rectify
          </Button>
        )}
      </SheetActions>
      <ConfirmationNotice sheet={sheet} />
      {!isTeacher && <RemainingRows sheet={sheet} />}
      <LetterBoundaries sheet={sheet} />
      <ResultsTable sheet={sheet} />
      <SubmissionFacts sheet={sheet} />
      {isRectifying && <RectifyDialog sheet={sheet} onClose={() => setIsRectifying(false)} />}
    </div>
  );
}

function ConfirmationNotice({ sheet }: { sheet: Sheet }) {
  const { confirmed_by, confirmed_at, checksum, notification, rectified_by } = sheet;
  return (
    <div className="flex gap-3 rounded-panel border border-ok-line bg-ok-soft px-4 py-3">
      <Lock className="mt-0.5 size-4 shrink-0 text-ok" />
      <div className="wrap-anywhere min-w-0">
        <p>
          <b className="font-semibold">{`Confirmed by ${authorAndTime(confirmed_by, confirmed_at)}.`}</b>{' '}
          {notification === null
            ? 'Provisional until the class is notified.'
            : `Final since result notification ${notification}.`}
        </p>
        {checksum !== null && (
          <p className="text-fg-2 text-label">
            {'Checksum '}
            <code>{checksum}</code>
          </p>
        )}
        {rectified_by !== null && (
          <p className="mt-1">
            {'Rectified by '}
            <Link
              to="/marksheets/$sheetId/results"
              params={{ sheetId: String(rectified_by) }}
              className="link"
            >{`mark sheet ${rectified_by}`}</Link>
            .
          </p>
        )}
      </div>
    </div>
  );
}

/** The frozen boundaries, and how many have each letter. */
function LetterBoundaries({ sheet }: { sheet: Sheet }) {
  return (
    <section aria-labelledby="sheet-letters">
      <h2 id="sheet-letters" className="mb-2">
        Boundaries
      </h2>
      {sheet.boundaries !== null && (
        <p className="text-fg-2">
          {sheet.boundaries.map((from, i) => `${GRADE_LETTERS[i]} ${from.toFixed(2)}`).join(', ')}. They are
          frozen: a later result gets its letter by them.
        </p>
      )}
      <LetterCounts letters={sheet.rows.map(({ letter }) => letter)} />
    </section>
  );
}

function ResultsTable({ sheet }: { sheet: Sheet }) {
  const columns: readonly Column<Sheet['rows'][number]>[] = [
    {
      head: 'Student',
      isRowHead: true,
      className: 'wrap-anywhere strong',
      cell: (row) => (
        <>
          <StudentLink id={row.student_id} student={row}>
            {row.student_id}
            {row.semester !== sheet.semester && `, semester ${row.semester}`}
          </StudentLink>
          {row.recorded === false && <Tag tone="warn">Not recorded</Tag>}
        </>
      ),
    },
    { head: 'Total', isNumber: true, cell: ({ total }) => (total === null ? '--' : total.toFixed(2)) },
    {
      head: 'Grade',
      className: 'whitespace-nowrap',
      cell: ({ letter, status }) =>
        letter === null ? (
          <span className="text-fg-2">{ROW_STATUS_NAMES[status]}</span>
        ) : (
          <GradeBadge letter={letter} />
        ),
    },
  ];
  return (
    <section aria-labelledby="sheet-results">
      <h2 id="sheet-results" className="mb-2">
        {`Results, ${formatCount(sheet.rows.length)}`}
      </h2>
      <TableContainer className="max-w-[60rem] overflow-x-auto">
        <Table
          isCompact
          label="Results"
          columns={columns}
          rows={sheet.rows}
          rowKey={({ student_id }) => student_id}
        />
      </TableContainer>
    </section>
  );
}
