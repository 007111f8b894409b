import { Link } from '@tanstack/react-router';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import { fullName } from '../../../students/student-format.ts';
import { cellSearch } from '../../search-params.ts';
import type { UnsentMark } from '../model/unsent-cells.ts';

/** Names shown before the list is shortened to "and n more". */
const MAX_NAMED = 12;

function whyUnsent({ kind, fault }: UnsentMark): string {
  switch (kind) {
    case 'wrong':
      return fault ?? 'It is no mark.';
    case 'conflict':
      return 'Somebody else has changed the cell.';
    case 'waiting':
      return 'It is not sent yet.';
    case 'lost':
      return 'The student or the component has been taken off the mark sheet.';
  }
}

/** The marks of this browser that keep a sheet from being submitted, each with a link to its cell. */
export function UnsentCheck({ sheet, unsent }: { sheet: Sheet; unsent: readonly UnsentMark[] }) {
  const params = { sheetId: String(sheet.sheet_id) };
  const students = new Map(sheet.rows.map((row) => [row.student_id, row]));
  const components = sheet.categories.flatMap((category) => category.components);
  return (
    <li data-kind="refusal">
      <p className="wrap-anywhere font-[560]">
        {unsent.length === 1
          ? '1 mark that was typed in this browser is not saved.'
          : `${unsent.length} marks that were typed in this browser are not saved.`}
      </p>
      <ul className="mt-1 grid gap-1 text-label">
        {unsent.slice(0, MAX_NAMED).map((mark) => {
          const { studentId, componentId, text } = mark;
          const row = students.get(studentId);
          const component = components.find(({ component_id }) => component_id === componentId);
          return (
            <li key={`${studentId} ${componentId}`} className="wrap-anywhere">
              <Link
                to="/marksheets/$sheetId"
                params={params}
                search={cellSearch(studentId, componentId)}
                className="link link-quiet"
              >
                {[row === undefined ? studentId : `${fullName(row)} ${studentId}`, component?.name]
                  .filter(Boolean)
                  .join(', ')}
              </Link>
              <span className="text-fg-2">{`: ${text === '' ? 'emptied' : text}. ${whyUnsent(mark)}`}</span>
            </li>
          );
        })}
        {unsent.length > MAX_NAMED && (
          <li className="text-fg-3">{`and ${unsent.length - MAX_NAMED} more`}</li>
        )}
      </ul>
    </li>
  );
}
