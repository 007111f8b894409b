import { useNavigate } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useId, useRef } from 'react';
import { useCtrlP } from '../../../lib/printing/use-ctrl-p.ts';
import { Button } from '../../../ui/button.tsx';
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
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const open = (as: PrintKind) => {
    menu.current?.hidePopover();
    const printed = toNamedStudents(selection);
    void navigate({ to: '/students/print', search: { ...address, as }, state: { printed } });
  };
  useCtrlP(disabled ? undefined : () => open('list'));
  return (
    <>
      {/* Small screens show the icon only. */}
      <Button
        popoverTarget={id}
        disabled={disabled}
        className="pointer-coarse:min-h-11 max-md:min-h-11 max-md:min-w-11"
      >
        <Printer className="max-md:!ms-0" />
        <span className="max-md:sr-only">Print…</span>
      </Button>
      <div ref={menu} id={id} popover="auto" className="export-choices">
        <ul>
          {KINDS.map(({ kind, title, text }) => (
            <li key={kind}>
              <button
                type="button"
                onClick={() => open(kind)}
                className="block min-h-11 w-full rounded-control px-2.5 py-1.5 text-start -outline-offset-2 hover:bg-hover"
              >
                <span className="block font-[560]">{title}</span>
                <span className="block text-fg-3 text-label">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
