import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, Printer } from 'lucide-react';
import { useCtrlP } from '../../../lib/printing/use-ctrl-p.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { PrintKind, StudentsSearchParams } from '../model/search-params.ts';
import type { ListSelection } from '../model/selection.ts';
import { type NamedStudents, toNamedStudents } from './named-students.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The students to print, if they are selected ones. */
    printed?: NamedStudents;
  }
}

const KINDS: readonly { kind: PrintKind; title: string; text: string }[] = [
  { kind: 'list', title: 'List', text: 'With age, class, CGPA and school marks' },
  { kind: 'class', title: 'Class list', text: 'IDs, names and columns for notes' },
  { kind: 'attendance', title: 'Attendance list', text: 'IDs, names and a column for each day' },
];

interface PrintMenuProps {
  address: StudentsSearchParams;
  /** All of the view where it is empty. */
  selection: ListSelection;
  disabled: boolean;
}

/** Opens the print view of all students of the list, or of the selected ones. */
export function PrintMenu({ address, selection, disabled }: PrintMenuProps) {
  const navigate = useNavigate();
  const open = (as: PrintKind) => {
    const printed = toNamedStudents(selection);
    void navigate({ to: '/students/print', search: { ...address, as }, state: { printed } });
  };
  useCtrlP(disabled ? undefined : () => open('list'));
  return (
    <Menu
      // Small screens show the icon only.
      label="Print"
      button={
        <>
          <Printer className="max-md:!ms-0" />
          <span className="max-md:sr-only">Print</span>
          <ChevronDown className="max-md:hidden" />
        </>
      }
      isDisabled={disabled}
      groups={[
        { items: KINDS.map(({ kind, title, text }) => ({ label: title, text, onSelect: () => open(kind) })) },
      ]}
      className="pointer-coarse:min-h-11 max-md:min-h-11 max-md:min-w-11"
    />
  );
}
