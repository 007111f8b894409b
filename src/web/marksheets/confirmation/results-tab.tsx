import { Link } from '@tanstack/react-router';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { useIsTeacher } from '../../lib/session.ts';
import { useSheet } from '../sheet-context.tsx';
import { ConfirmedSheet } from './confirmed/confirmed-sheet.tsx';
import { RECTIFICATION_NAMES } from './confirmed/rectify-dialog.tsx';
import { DifferenceReport } from './difference-report.tsx';
import { DraftSheet } from './draft-sheet.tsx';
import { SubmittedSheet } from './submitted-sheet.tsx';
import './confirmation.css';

/** The preview of the confirmation; once confirmed, the results and their rectification. */
export function ResultsTab() {
  const sheet = useSheet();
  const isTeacher = useIsTeacher();
  const Content = { draft: DraftSheet, submitted: SubmittedSheet, confirmed: ConfirmedSheet }[sheet.state];
  return (
    <>
      {sheet.rectifies !== null && <RectificationNote sheet={sheet} />}
      {/* The fields of one state are not those of the next. */}
      <Content key={sheet.state} sheet={sheet} />
      {sheet.rectifies !== null && !isTeacher && <DifferenceReport sheet={sheet} />}
    </>
  );
}

function RectificationNote({ sheet: { rectifies, rectify_kind, rectify_reason } }: { sheet: Sheet }) {
  return (
    <p className="wrap-anywhere mb-5 max-w-[80ch] text-fg-2">
      {'Rectifies '}
      <Link
        to="/marksheets/$sheetId/results"
        params={{ sheetId: String(rectifies) }}
        className="link"
      >{`mark sheet ${rectifies}`}</Link>
      {rectify_kind !== null && `: ${RECTIFICATION_NAMES[rectify_kind]}`}
      {rectify_reason !== null && `. ${rectify_reason}`}
    </p>
  );
}
