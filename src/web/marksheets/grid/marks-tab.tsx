import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ArrowRight, Settings2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { GradeLetter } from '../../../domain/grading/gpa.ts';
import { foldText } from '../../../domain/search-text.ts';
import { formatCount, formatStudentCount } from '../../lib/format.ts';
import { useMediaQuery } from '../../lib/page/use-media-query.ts';
import { useIsPrinting } from '../../lib/printing/use-is-printing.ts';
import { useIsTeacher } from '../../lib/session.ts';
import { searchTerms } from '../../lib/text-match.ts';
import { policiesQuery } from '../../settings/grading/policy-queries.ts';
import { fullName } from '../../students/student-format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { EmptyState, NoResults } from '../../ui/page/empty-state.tsx';
import { FilterChip } from '../filter-chip.tsx';
import { parseCellSearch } from '../search-params.ts';
import { SheetActions, useCanEdit, useOpenSheet } from '../sheet-context.tsx';
import { SaveCsvButton } from '../sheet-file-buttons.tsx';
import { UndoRedoButtons } from '../undo-redo-buttons.tsx';
import { MarksGrid } from './marks-grid.tsx';
import type { MarkEditor, TypedCell } from './model/mark-editor.ts';
import {
  initialChoices,
  isPlain,
  type Pasted,
  type PasteTarget,
  planPaste,
  toCells,
  toPasted,
} from './model/paste.ts';
import { rowLetters } from './model/row-letters.ts';
import { type Place, type Selection, selectCell, toArea } from './model/selection.ts';
import { type Column, isEntered, isMissing, type ShownRow, showRows, toColumns } from './model/shown-rows.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { PhoneList } from './phone-list.tsx';
import { UnsentNotice } from './saving/unsent-notice.tsx';
import { takeStep, useEditorState } from './saving/use-mark-editing.ts';
import { SelectionFacts } from './selection-facts.tsx';
import './grid.css';

/** The marks of a class: entered while the sheet is a draft, read-only after that. */
export function MarksTab() {
  const { sheet, editor } = useOpenSheet();
  const canEdit = useCanEdit();
  const isTeacher = useIsTeacher();
  const state = useEditorState();
  const isPrinting = useIsPrinting();
  const isPhone = useMediaQuery('(width <= 40rem)');
  const rows = useMemo(() => showRows(sheet, state.unsent), [sheet, state.unsent]);
  const columns = useMemo(() => toColumns({ categories: sheet.categories }), [sheet.categories]);
  const letters = useLetters(sheet, rows);
  const linked = useLinkedCell(rows, columns);
  const sheetId = String(sheet.sheet_id);
  const shared = { rows, columns, linked, editor, isReadOnly: !canEdit };
  return (
    <>
      <SheetActions>
        {canEdit && (
          <>
            {!isPhone && (
              <UndoRedoButtons
                canUndo={state.canUndo}
                canRedo={state.canRedo}
                onUndo={() => takeStep(editor, 'undo')}
                onRedo={() => takeStep(editor, 'redo')}
              />
            )}
            {!isPhone && !isTeacher && <SaveCsvButton />}
            {sheet.rectifies === null && !isTeacher && (
              <ButtonLink to={`/marksheets/${sheetId}/setup`}>
                <Settings2 />
                Set-up
              </ButtonLink>
            )}
            <ButtonLink to={`/marksheets/${sheetId}/grades`} variant="primary">
              Grade
              <ArrowRight />
            </ButtonLink>
          </>
        )}
        {!canEdit && !isPhone && !isTeacher && <SaveCsvButton />}
      </SheetActions>
      <UnsentNotice />
      {rows.length === 0 ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="No student is on this mark sheet"
            action={
              canEdit ? <ButtonLink to={`/marksheets/${sheetId}/class`}>Class list</ButtonLink> : undefined
            }
          />
        </div>
      ) : (
        <>
          {isPhone && <PhoneList {...shared} />}
          {/* On paper the whole table, from any screen. */}
          {(!isPhone || isPrinting) && (
            <DesktopMarks {...shared} linked={isPhone ? undefined : linked} letters={letters} />
          )}
        </>
      )}
    </>
  );
}

/** The place of the cell that the address names, see {@link cellSearch}. */
function useLinkedCell(rows: readonly ShownRow[], columns: readonly Column[]): Place | undefined {
  const { student, component } = parseCellSearch(useSearch({ strict: false }));
  const row = rows.findIndex((shown) => shown.row.student_id === student);
  const column = columns.findIndex((one) => String(one.component.component_id) === component);
  return row === -1 || column === -1 ? undefined : { row, column };
}

function useLetters(sheet: Sheet, rows: readonly ShownRow[]) {
  const policies = useQuery({ ...policiesQuery, enabled: sheet.state === 'draft' });
  const rules = policies.data?.find(({ policy_id }) => policy_id === sheet.policy_id)?.rules;
  return useMemo(() => rowLetters(sheet, rows, rules), [sheet, rows, rules]);
}

/** Which rows are shown. */
const FILTERS = {
  missing: { name: 'Missing', has: (shown: ShownRow) => shown.views.some((_, i) => isMissing(shown, i)) },
  wrong: { name: 'Wrong', has: ({ views }: ShownRow) => views.some(({ kind }) => kind === 'wrong') },
  conflict: {
    name: 'Conflicts',
    has: ({ views }: ShownRow) => views.some(({ kind }) => kind === 'conflict'),
  },
  absent: { name: 'Absent', has: ({ views }: ShownRow) => views.some(({ text }) => text === 'A') },
} as const;
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = ['missing', 'wrong', 'conflict', 'absent'] as const satisfies readonly Filter[];

interface MarksProps {
  rows: readonly ShownRow[];
  columns: readonly Column[];
  letters: ReadonlyMap<string, GradeLetter>;
  /** The cell that the address names. */
  linked: Place | undefined;
  editor: MarkEditor;
  isReadOnly: boolean;
}

function DesktopMarks({ rows, columns, letters, linked, editor, isReadOnly }: MarksProps) {
  const { sheet, others } = useOpenSheet();
  const [query, setQuery] = useState('');
  // The students that matched when the filter was chosen: a row that is filled in stays until a filter is chosen again.
  const [filter, setFilter] = useState<{ by: Filter; ids: ReadonlySet<string> } | null>(null);
  const [selection, setSelection] = useState<Selection>(() => selectCell(linked ?? { row: 0, column: 0 }));
  const [pasted, setPasted] = useState<{ pasted: Pasted; target: PasteTarget } | null>(null);
  const tools = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const terms = searchTerms(query);
    return rows.filter(
      ({ row }) =>
        (filter === null || filter.ids.has(row.student_id)) &&
        terms.every((term) => foldText(`${row.student_id} ${fullName(row)}`).includes(term)),
    );
  }, [rows, filter, query]);
  const choose = (by: Filter) => {
    setSelection(selectCell({ row: 0, column: selection.current.column }));
    if (filter?.by === by) return setFilter(null);
    const matching = rows.filter(FILTERS[by].has);
    setFilter({ by, ids: new Set(matching.map(({ row }) => row.student_id)) });
  };
  const filled = useMemo(
    () => rows.reduce((sum, { views }) => sum + views.filter(isEntered).length, 0),
    [rows],
  );
  const counts = useMemo(
    () => FILTER_NAMES.map((by) => [by, rows.filter(FILTERS[by].has).length] as const),
    [rows],
  );
  const paste = (table: string[][]) => {
    const toPasteRow = ({ row, views }: ShownRow) => ({
      studentId: row.student_id,
      name: fullName(row),
      texts: new Map(columns.map(({ component }, i) => [component.component_id, views[i]?.text ?? ''])),
    });
    const students = rows.map(toPasteRow);
    const target = {
      rows: shown.length === rows.length ? students : shown.map(toPasteRow),
      students,
      components: columns.map(({ component }) => component),
      row: toArea(selection).top,
      column: toArea(selection).left,
    };
    const next = toPasted(table, target);
    const plan = planPaste(next, target, initialChoices(next, target));
    // What only fills empty cells needs no question.
    if (isPlain(next, target, plan)) take(toCells(plan));
    else setPasted({ pasted: next, target });
  };
  const take = (cells: TypedCell[]) => editor.type(cells);
  const focusSearch = () => tools.current?.querySelector('input')?.focus();
  return (
    <>
      {shown.length < rows.length && (
        <p className="print-only mb-2">{`${formatCount(shown.length)} of ${formatStudentCount(rows.length)}`}</p>
      )}
      <div ref={tools} className="screen-only flex flex-wrap items-center gap-2 pb-3">
        <div className="flex min-w-0 flex-1 md:max-w-80">
          <SearchField label="Find a student" placeholder="Find a student" query={query} onQuery={setQuery} />
        </div>
        {counts.map(([by, count]) => {
          const isOn = filter?.by === by;
          if (count === 0 && !isOn) return null;
          return (
            <FilterChip
              key={by}
              isOn={isOn}
              isBad={by === 'wrong' || by === 'conflict'}
              onClick={() => choose(by)}
            >
              {FILTERS[by].name} <b className="font-[640]">{formatCount(count)}</b>
            </FilterChip>
          );
        })}
        {others.length > 0 && (
          <span role="status" className="wrap-anywhere text-label text-ok">
            {`Also here: ${others.map(({ name }) => name).join(', ')}`}
          </span>
        )}
        <span className="ms-auto whitespace-nowrap text-fg-3 text-label">
          <b className="font-[620] text-fg">{formatCount(filled)}</b>
          {` of ${formatCount(rows.length * columns.length)} marks`}
        </span>
      </div>
      {shown.length === 0 ? (
        <NoResults
          title={
            filter === null ? 'No student matches the search' : 'No student matches the search and the filter'
          }
          text="CMS IDs and names are searched."
          action={filter === null ? 'Clear search' : 'Clear search and filter'}
          onClear={() => {
            setQuery('');
            setFilter(null);
          }}
        />
      ) : (
        <>
          <MarksGrid
            label="Marks"
            rows={shown}
            all={rows}
            columns={columns}
            letters={letters}
            isProposed={sheet.state === 'draft' && !sheet.boundaries_stored}
            editor={editor}
            isReadOnly={isReadOnly}
            startsFocused={linked !== undefined}
            selection={selection}
            onSelect={setSelection}
            onPaste={paste}
            onLeave={focusSearch}
          />
          <SelectionFacts rows={shown} columns={columns} selection={selection} isReadOnly={isReadOnly} />
        </>
      )}
      {pasted !== null && <PasteDialog {...pasted} onPaste={take} onClose={() => setPasted(null)} />}
    </>
  );
}
