import { type ReactNode, useRef, useState } from 'react';
import type { ExportResults } from '../../../../contract/students/export.ts';
import {
  EXPORT_COLUMN_TITLES,
  EXPORT_COLUMNS,
  type ExportColumn,
} from '../../../../domain/export-columns.ts';
import { Button } from '../../../ui/button.tsx';
import { TaskDialog } from '../../../ui/dialog/task-dialog.tsx';
import { CheckBox } from '../../../ui/fields/check-box.tsx';
import { FILE_KINDS, type FileOptions } from './file-kinds.ts';

const RESULTS: readonly { value: ExportResults; title: string; text: string }[] = [
  { value: 'none', title: 'Without results', text: 'A row for each student' },
  { value: 'subjects', title: 'A row for each subject', text: 'With semester, code, credits and grade' },
  {
    value: 'courses',
    title: 'A column for each course',
    text: 'With the grades; for at most 5,000 students',
  },
];

interface ExportDialogProps {
  /** Whose export it is, such as `12 selected students`. */
  students: string;
  onExport: (file: FileOptions) => void;
  onClose: () => void;
}

/** Selects the columns, the results and the kind of file of an export. */
export function ExportDialog({ students, onExport, onClose }: ExportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [columns, setColumns] = useState<readonly ExportColumn[]>(EXPORT_COLUMNS);
  const [results, setResults] = useState<ExportResults>('none');
  const [kind, setKind] = useState(0);
  const isWhole = columns.length === EXPORT_COLUMNS.length;
  const start = () => {
    const file = FILE_KINDS[kind]?.kind;
    if (file === undefined || columns.length === 0) return;
    dialog.current?.close();
    onExport({ ...file, ...(!isWhole && { columns }), ...(results !== 'none' && { results }) });
  };
  return (
    <TaskDialog dialog={dialog} title="Export" isRunning={false} onClose={onClose}>
      <div className="grid min-h-0 flex-auto gap-5 overflow-y-auto px-5 pb-1">
        <p className="text-fg-2">{students}</p>
        <fieldset>
          <Legend>
            Columns
            <Button
              size="sm"
              variant="quiet"
              className="ms-2"
              onClick={() => setColumns(isWhole ? [] : EXPORT_COLUMNS)}
            >
              {isWhole ? 'Select none' : 'Select all'}
            </Button>
          </Legend>
          <div className="grid grid-cols-2 gap-x-4 xs:grid-cols-3">
            {EXPORT_COLUMNS.map((name) => (
              <CheckBox
                key={name}
                isChecked={columns.includes(name)}
                onChange={(isChecked) =>
                  setColumns(isChecked ? [...columns, name] : columns.filter((one) => one !== name))
                }
              >
                {EXPORT_COLUMN_TITLES[name]}
              </CheckBox>
            ))}
          </div>
        </fieldset>
        <Choices
          name="results"
          legend="Results"
          options={RESULTS}
          selected={RESULTS.findIndex(({ value }) => value === results)}
          onSelect={(index) => setResults(RESULTS[index]?.value ?? 'none')}
        />
        <Choices name="kind" legend="File" options={FILE_KINDS} selected={kind} onSelect={setKind} />
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button variant="primary" disabled={columns.length === 0} onClick={start}>
          Export
        </Button>
      </div>
    </TaskDialog>
  );
}

const Legend = ({ children }: { children: ReactNode }) => (
  <legend className="flex min-h-8 items-center pb-1 font-[560]">{children}</legend>
);

interface ChoicesProps {
  name: string;
  legend: string;
  options: readonly { title: string; text: string }[];
  /** Index of the option. */
  selected: number;
  onSelect: (index: number) => void;
}

function Choices({ name, legend, options, selected, onSelect }: ChoicesProps) {
  return (
    <fieldset>
      <Legend>{legend}</Legend>
      <div className="grid gap-x-4 xs:grid-cols-2">
        {options.map(({ title, text }, index) => (
          <label key={title} className="flex min-h-8 gap-2 py-1">
            <input
              type="radio"
              name={name}
              checked={index === selected}
              onChange={() => onSelect(index)}
              className="mt-0.75 size-4 shrink-0 accent-ink"
            />
            <span>
              <span className="block">{title}</span>
              <span className="block text-fg-3 text-label">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
