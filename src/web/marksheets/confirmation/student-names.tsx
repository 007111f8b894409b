import { Link } from '@tanstack/react-router';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';

/** So many are named before the rest is only counted. */
const MAX_NAMED = 12;

/** Students of a sheet by name, each with a link to the record. */
export function StudentNames({ sheet, ids }: { sheet: Pick<Sheet, 'rows'>; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-label">
      {ids.slice(0, MAX_NAMED).map((id) => {
        const row = rows.get(id);
        return (
          <li key={id} className="wrap-anywhere">
            <Link to="/students/$studentId" params={{ studentId: id }} className="link link-quiet">
              {row === undefined ? id : `${row.first_name} ${row.last_name}`}
            </Link>
            {row !== undefined && <span className="text-fg-3">{` ${id}`}</span>}
          </li>
        );
      })}
      {ids.length > MAX_NAMED && <li className="text-fg-3">{`and ${ids.length - MAX_NAMED} more`}</li>}
    </ul>
  );
}
