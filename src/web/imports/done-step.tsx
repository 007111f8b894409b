import { Link } from '@tanstack/react-router';
import { ChevronRight, Download, FileUp, GraduationCap, type LucideIcon, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Import } from '../../contract/imports.ts';
import { callAddress } from '../lib/call.ts';
import { formatCount, formatDateTime } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/page/facts.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import { Figures } from './figures.tsx';
import { authorText, rowsText } from './import-labels.ts';
import { useCanActOn } from './import-queries.ts';
import { ImportStateTag } from './import-state-tag.tsx';
import { UndoImportDialog } from './undo-import-dialog.tsx';

/** The result of the import, the next pages, and the undo. */
export function DoneStep({ item }: { item: Import }) {
  const user = useCurrentUser();
  const canAct = useCanActOn(item);
  const [isUndoing, setIsUndoing] = useState(false);
  const { counts, kind, state, partial, applied_at, import_id } = item;
  const wasStored = state !== 'cancelled';
  const leftOut = partial && counts !== null ? counts.refused : 0;
  const hasCourses = kind === 'courses' || kind === 'marks';
  return (
    <div className="grid gap-7">
      {wasStored && counts !== null && (
        <Figures
          figures={[
            { name: 'New', value: formatCount(counts.create) },
            { name: 'Changed', value: formatCount(counts.update) },
            { name: 'Unchanged', value: formatCount(counts.unchanged) },
            { name: 'Left out', value: formatCount(leftOut) },
          ]}
        />
      )}
      <div className="grid items-start gap-x-11 gap-y-8 xl:grid-cols-[minmax(0,1fr)_300px]">
        <section aria-labelledby="go-on-heading">
          <h2 id="go-on-heading" className="mb-3">
            Go on with
          </h2>
          <ul className="rounded-panel border border-line">
            {wasStored && (
              <GoOn
                Icon={GraduationCap}
                to={
                  item.scheme_id !== undefined
                    ? `/settings/schemes/${item.scheme_id}`
                    : kind === 'marks' && item.course_id !== null
                      ? `/courses/${item.course_id}`
                      : hasCourses
                        ? '/courses'
                        : '/students'
                }
                title={
                  kind === 'scheme'
                    ? 'The draft'
                    : kind === 'marks'
                      ? 'The course'
                      : hasCourses
                        ? 'Courses'
                        : 'Students'
                }
                text={
                  kind === 'scheme'
                    ? 'With its new rows'
                    : kind === 'marks'
                      ? 'With its new marks'
                      : 'The list of all of them'
                }
              />
            )}
            {leftOut > 0 && canAct && state === 'applied' && <RefusedRows item={item} count={leftOut} />}
            {state === 'cancelled' && canAct && (
              <GoOn
                Icon={Undo2}
                to={`/imports/${import_id}`}
                search={{ step: 'columns' }}
                title="This file again"
                text="Its rows are kept for a day; nothing of them was saved"
              />
            )}
            <GoOn
              Icon={FileUp}
              to="/imports/new"
              title="Another file"
              text="Students, semester results, courses or course marks"
            />
          </ul>
        </section>
        <aside className="grid gap-6 xl:border-line xl:border-s xl:ps-8">
          <section>
            <h2 className="mb-3 text-label">This import</h2>
            <DescriptionList
              items={[
                { title: 'By', value: authorText(item, user?.id) },
                { title: 'When', value: formatDateTime(applied_at ?? item.created_at) },
                { title: 'State', value: <ImportStateTag item={item} />, wide: true },
              ]}
            />
          </section>
          {state === 'applied' && canAct && (
            <section>
              <h2 className="mb-1.5 text-label">Wrong file?</h2>
              <p className="mb-3 text-fg-2 text-label">
                Undo takes away what is new and gives what was changed its old values back. It works at any
                time; what was changed after the import is shown first and kept.
              </p>
              <Button onClick={() => setIsUndoing(true)}>
                <Undo2 />
                Undo this import
              </Button>
            </section>
          )}
        </aside>
      </div>
      {isUndoing && <UndoImportDialog key={import_id} item={item} onClose={() => setIsUndoing(false)} />}
    </div>
  );
}

const ENTRY = 'flex min-h-15 w-full items-center gap-4 px-4 py-2.5 text-start hover:bg-hover';

interface GoOnProps {
  Icon: LucideIcon;
  to: string;
  search?: Readonly<Record<string, string>>;
  title: string;
  text: string;
}

function GoOn({ to, search = {}, ...entry }: GoOnProps) {
  return (
    <li className="border-line not-first:border-t">
      <Link to={to} search={search} className={ENTRY}>
        <EntryText {...entry} />
      </Link>
    </li>
  );
}

function RefusedRows({ item: { import_id }, count }: { item: Import; count: number }) {
  return (
    <li className="border-line not-first:border-t">
      <button
        type="button"
        className={ENTRY}
        onClick={() =>
          void saveServerFile(
            callAddress('GET /api/imports/:import_id/refused.csv', { params: { import_id } }),
            `import-${import_id}-refused.csv`,
            'The refused rows have been saved.',
          )
        }
      >
        <EntryText
          Icon={Download}
          title={count === 1 ? 'The row left out' : `The ${rowsText(count)} left out`}
          text="As CSV, with the reasons in the last column; correct it and import it again"
        />
      </button>
    </li>
  );
}

function EntryText({ Icon, title, text }: Omit<GoOnProps, 'to' | 'search'>) {
  return (
    <>
      <Icon className="size-4.5 shrink-0 text-fg-3" />
      <span className="min-w-0 flex-1">
        <span className="block font-[560]">{title}</span>
        <span className="text-fg-2 text-label">{text}</span>
      </span>
      <ChevronRight className="size-4 shrink-0 text-fg-3" />
    </>
  );
}
