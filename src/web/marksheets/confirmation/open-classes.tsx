import { Link } from '@tanstack/react-router';
import type { NotificationInput, Notifications } from '../../../contract/marksheets/confirmation.ts';
import type { SheetListItem } from '../../../contract/marksheets/sheets.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';

/** A class with mark sheets of a term whose results are not final. */
interface OpenClass extends Omit<NotificationInput, 'term_id'> {
  sheets: readonly SheetListItem[];
}

const classKey = ({ department, degree, semester }: Omit<NotificationInput, 'term_id'>) =>
  `${department}-${degree}, semester ${semester}`;

/** The classes of these sheets of one term that are not notified, those that can be first. */
function openClasses(
  sheets: readonly SheetListItem[],
  notified: Notifications,
  termId: number,
): readonly OpenClass[] {
  const done = new Set(notified.filter(({ term_id }) => term_id === termId).map(classKey));
  const current = sheets.filter((sheet) => sheet.rectified_by === null && !done.has(classKey(sheet)));
  const classes = new Map<string, OpenClass>();
  for (const sheet of current) {
    const { department, degree, semester } = sheet;
    const before = classes.get(classKey(sheet))?.sheets ?? [];
    classes.set(classKey(sheet), { department, degree, semester, sheets: [...before, sheet] });
  }
  return [...classes.values()].sort(
    (a, b) => lacking(a) - lacking(b) || classKey(a).localeCompare(classKey(b), 'en', { numeric: true }),
  );
}

const isConfirmed = ({ state }: SheetListItem) => state === 'confirmed';
const lacking = ({ sheets }: OpenClass) => sheets.length - sheets.filter(isConfirmed).length;

interface OpenClassesProps {
  sheets: readonly SheetListItem[];
  notified: Notifications;
  termId: number;
  onNotify: (of: Omit<NotificationInput, 'term_id'>) => void;
}

/** What each class of a term lacks, and a button for those that can be notified. */
export function OpenClasses({ sheets, notified, termId, onNotify }: OpenClassesProps) {
  const classes = openClasses(sheets, notified, termId);
  if (classes.length === 0) return null;
  const columns: readonly Column<OpenClass>[] = [
    { head: 'Class', className: 'strong wrap-anywhere', cell: classKey },
    {
      head: 'Mark sheets',
      cell: (one) => (
        <Link
          to="/marksheets"
          search={{ term: String(termId), q: `${one.department}-${one.degree}` }}
          className="link"
        >{`${one.sheets.length - lacking(one)} of ${one.sheets.length} confirmed`}</Link>
      ),
    },
    {
      head: 'Next step',
      cell: (one) =>
        lacking(one) === 0 ? (
          <Button size="sm" aria-label={`Notify ${classKey(one)}`} onClick={() => onNotify(one)}>
            Notify
          </Button>
        ) : (
          <span className="text-fg-2">
            {`${lacking(one)} to confirm: ${one.sheets
              .filter((sheet) => !isConfirmed(sheet))
              .map(({ course_code }) => course_code)
              .join(', ')}`}
          </span>
        ),
    },
  ];
  return (
    <TableContainer>
      <Table
        label="Classes that are not notified"
        columns={columns}
        rows={classes}
        rowKey={classKey}
        hasCards
      />
    </TableContainer>
  );
}
