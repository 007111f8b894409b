import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { foldText } from '../../../domain/search-text.ts';
import { formatCount } from '../../lib/format.ts';
import { searchTerms } from '../../lib/text-match.ts';
import { fullName } from '../../students/student-format.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { type AttendanceTable, useCanEditAttendance } from '../attendance/use-attendance-columns.tsx';
import { FilterChip } from '../filter-chip.tsx';
import { SheetTeachers } from './sheet-teachers.tsx';

/** Which students of a class are shown. */
export interface ClassFilter {
  query: string;
  /** Those who were short of attendance when the filter was chosen: a row that is corrected stays. */
  short: ReadonlySet<string> | null;
}
export const NO_FILTER: ClassFilter = { query: '', short: null };

const isShort = ({ attendance }: SheetRowReply) => attendance?.short === true && attendance.condoned === null;

export function filterClass(rows: readonly SheetRowReply[], { query, short }: ClassFilter) {
  const terms = searchTerms(query);
  if (terms.length === 0 && short === null) return rows;
  return rows.filter(
    (row) =>
      (short === null || short.has(row.student_id)) &&
      terms.every((term) => foldText(`${row.student_id} ${fullName(row)}`).includes(term)),
  );
}

interface ClassToolsProps {
  rows: readonly SheetRowReply[];
  filter: ClassFilter;
  onFilter: (filter: ClassFilter) => void;
  attendance: AttendanceTable;
}

/** Above the class list: search, who is short of attendance, how many classes were held, and the teachers. */
export function ClassTools({ rows, filter, onFilter, attendance }: ClassToolsProps) {
  const canEdit = useCanEditAttendance();
  const short = rows.filter(isShort);
  return (
    <div className="screen-only flex flex-wrap items-center gap-2 pb-3">
      <div className="flex min-w-0 flex-1 max-sm:basis-full md:max-w-80">
        <SearchField
          label="Find a student"
          placeholder="Find a student"
          query={filter.query}
          onQuery={(query) => onFilter({ ...filter, query })}
        />
      </div>
      {(short.length > 0 || filter.short !== null) && (
        <FilterChip
          isOn={filter.short !== null}
          onClick={() =>
            onFilter({
              ...filter,
              short: filter.short === null ? new Set(short.map(({ student_id }) => student_id)) : null,
            })
          }
        >
          Short of attendance <b className="font-[640]">{formatCount(short.length)}</b>
        </FilterChip>
      )}
      {canEdit &&
        attendance.held.map(({ part, held }) => (
          <Button key={part.part} size="sm" variant="quiet" onClick={() => attendance.askHeld(part)}>
            {held === null ? `${part.name}: how many were held` : `${part.name}: ${held} held`}
          </Button>
        ))}
      <div className="ms-auto">
        <SheetTeachers />
      </div>
    </div>
  );
}

/** The keys of the fields, below them. */
export function AttendanceKeys() {
  if (!useCanEditAttendance()) return null;
  return (
    <p className="screen-only flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-fg-3 text-label max-md:hidden">
      <span>Attendance:</span>
      {KEYS.map(([key, text]) => (
        <span key={key}>
          <Kbd>{key}</Kbd> {text}
        </span>
      ))}
    </p>
  );
}

const KEYS = [
  ['Enter', 'down'],
  ['Ctrl V', 'paste a column'],
  ['H', 'how many were held'],
  ['Ctrl Z', 'back'],
] as const;
