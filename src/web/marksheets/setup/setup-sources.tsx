import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTask } from '../../forms/use-task.ts';
import { flash } from '../../ui/flash.tsx';
import { classText } from '../sheet-labels.ts';
import { sheetQuery, sheetsQuery } from '../sheet-queries.ts';
import { type CategoryValues, copyCategories, TEMPLATES, writeCategories } from './setup-values.ts';

const MOST_EARLIER = 3;

interface SetupSourcesProps {
  /** Empty before a course is chosen. */
  courseId: string;
  /** The categories of a form. */
  value: string;
  onChange: (value: string) => void;
}

/** Fills in the assessments: from a template, or from an earlier sheet of the course. */
export function SetupSources({ courseId, value, onChange }: SetupSourcesProps) {
  const queries = useQueryClient();
  const earlier = useQuery({ ...sheetsQuery({ course_id: Number(courseId) }), enabled: courseId !== '' });
  const take = (name: string, categories: readonly CategoryValues[]) => {
    onChange(writeCategories(categories));
    flash(`The assessments are those of ${name}.`, 'done', {
      label: 'Undo',
      run: () => onChange(value),
    });
  };
  const copying = useTask({
    run: async ({ sheetId, name }: { sheetId: number; name: string }) => {
      const { sheet } = await queries.fetchQuery(sheetQuery(sheetId));
      take(name, copyCategories(sheet.categories));
    },
    failure: 'The set-up could not be read. Try again.',
    flashesProblem: true,
  });
  return (
    <div className="mt-3 grid justify-items-start gap-1.5 text-label">
      {(earlier.data ?? []).slice(0, MOST_EARLIER).map((sheet) => {
        const name = `${sheet.term_name}, ${classText(sheet)}`;
        return (
          <button
            key={sheet.sheet_id}
            type="button"
            className="link min-h-6 text-start"
            onClick={() => copying.start({ sheetId: sheet.sheet_id, name })}
          >
            Copy from {classText(sheet)}, {sheet.term_name}
          </button>
        );
      })}
      {TEMPLATES.map(({ name, categories }) => (
        <button
          key={name}
          type="button"
          className="link min-h-6 text-start"
          onClick={() => take(`the template ${name}`, categories)}
        >
          Template: {name}
        </button>
      ))}
    </div>
  );
}
