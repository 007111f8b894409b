import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { FormSection } from '../../forms/form-layout.tsx';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { openingsQuery } from './opening-queries.ts';
import { UndoOpeningDialog } from './undo-opening-dialog.tsx';

/** The openings of a term, which can be undone as long as their sheets are untouched. */
export function TermOpenings({ termId }: { termId: number }) {
  const query = useQuery(openingsQuery(termId));
  const [undone, setUndone] = useState<number>();
  if (query.data?.length === 0) return null;
  return (
    <FormSection title="Openings" text="Mark sheets that were made in one go, for classes by their schemes.">
      <LoadError query={query} />
      <ul className="divide-y divide-line">
        {query.data?.map(({ opening_id, sheets, classes, created_at, created_by, undo }) => (
          <li
            key={opening_id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 first:pt-0"
          >
            <span className="min-w-0">
              <Link
                to="/marksheets/open/$termId/$openingId"
                params={{ termId: String(termId), openingId: String(opening_id) }}
                className="link"
              >
                {`${plural(sheets, 'mark sheet')} for ${plural(classes.length, 'class', 'classes')}`}
              </Link>
              <span className="wrap-anywhere block text-fg-3 text-label">
                {`Opened by ${created_by.name}, ${formatDateTime(created_at)}`}
              </span>
              {undo && (
                <span className="wrap-anywhere block text-fg-2 text-label">
                  {`${plural(undo.undone, 'mark sheet was', 'mark sheets were')} deleted by ${undo.by.name}, ${formatDateTime(undo.at)}`}
                </span>
              )}
            </span>
            {undo === null && (
              <Button size="sm" onClick={() => setUndone(opening_id)}>
                <Undo2 />
                Undo the opening
              </Button>
            )}
          </li>
        ))}
      </ul>
      {undone !== undefined && <UndoOpeningDialog openingId={undone} onClose={() => setUndone(undefined)} />}
    </FormSection>
  );
}
