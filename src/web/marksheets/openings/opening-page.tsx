import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Check, ChevronRight, ListPlus, type LucideIcon, Undo2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Opening } from '../../../contract/marksheets/openings.ts';
import { formatCount, formatDateTime, plural } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { openingsQuery, undoOpeningQuery } from '../../settings/openings/opening-queries.ts';
import { UndoOpeningDialog } from '../../settings/openings/undo-opening-dialog.tsx';
import { termsQuery } from '../../settings/term-queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import { QueryPage } from '../../ui/page/query-page.tsx';

const BACK = { to: '/marksheets', label: 'Mark sheets' } as const;

/** An opening that was made: what comes next, and its undo. */
export function OpeningPage() {
  const { termId, openingId } = useParams({ strict: false });
  const term = Number(termId);
  const openings = usePageQuery({ ...openingsQuery(term), loading: 'opening' });
  const name = useQuery(termsQuery).data?.find(({ term_id }) => term_id === term)?.name ?? 'the term';
  return (
    <QueryPage query={openings} header={<PageHeader back={BACK} title="Opening of a term" />}>
      {(all) => {
        const opening = all.find(({ opening_id }) => String(opening_id) === openingId);
        if (opening !== undefined)
          return <Made key={openingId} opening={opening} termId={term} name={name} />;
        return (
          <>
            <PageHeader back={BACK} title="Opening of a term" />
            <EmptyState title="There is no such opening" text="The term has no opening of this number." />
          </>
        );
      }}
    </QueryPage>
  );
}

interface MadeProps {
  opening: Opening;
  termId: number;
  name: string;
}

function Made({ opening, termId, name }: MadeProps) {
  const { sheets, students, classes, created_at, created_by, undo } = opening;
  const term = { term: String(termId) };
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <span className="flex items-center gap-3">
            {undo === null && (
              <span className="grid size-9 shrink-0 place-items-center rounded-panel bg-ok-soft text-ok">
                <Check className="size-5" />
              </span>
            )}
            <span className="wrap-anywhere min-w-0">
              {undo === null
                ? `${plural(sheets, 'mark sheet')} of ${name} ${sheets === 1 ? 'is' : 'are'} open`
                : `The opening of ${name} is undone`}
            </span>
          </span>
        }
        sub={`${plural(students, 'row')} in ${plural(classes.length, 'class', 'classes')}. Opened by ${created_by.name}, ${formatDateTime(created_at)}.`}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        <section aria-labelledby="next-heading">
          <h2 id="next-heading" className="mb-2.5">
            What comes next
          </h2>
          <ul className="divide-y divide-line rounded-panel border border-line">
            <Step
              Icon={UserPlus}
              to="/marksheets"
              search={term}
              title="Name the teachers"
              text="They see only their own sheets. Each mark sheet names them."
            />
            <Step
              Icon={ListPlus}
              to="/marksheets/open"
              search={term}
              title="Open what is missing"
              text="Classes and courses that were not chosen. Opening again keeps what is there."
            />
          </ul>
        </section>
        <UndoPanel opening={opening} />
      </div>
    </>
  );
}

interface StepProps {
  Icon: LucideIcon;
  to: string;
  search: Readonly<Record<string, string>>;
  title: string;
  text: string;
}

function Step({ Icon, to, search, title, text }: StepProps) {
  return (
    <li>
      <Link to={to} search={search} className="flex items-center gap-4 px-4 py-3 hover:bg-sunken">
        <Icon className="size-4.5 shrink-0 text-fg-3" />
        <span className="min-w-0 flex-1">
          <b className="block font-[560]">{title}</b>
          <span className="text-fg-2 text-label">{text}</span>
        </span>
        <ChevronRight className="size-4 shrink-0 text-fg-3" />
      </Link>
    </li>
  );
}

function UndoPanel({ opening: { opening_id, sheets, undo } }: { opening: Opening }) {
  const [isAsked, setIsAsked] = useState(false);
  const preview = useQuery({ ...undoOpeningQuery(opening_id), enabled: undo === null && !isAsked }).data;
  return (
    <section aria-labelledby="undo-heading" className="rounded-panel border border-line px-4 py-3.5">
      <h2 id="undo-heading">Undo</h2>
      {undo === null ? (
        <>
          <p className="mt-1 mb-3 text-fg-2 text-label">
            Deletes the sheets of this opening that nobody has touched.
            {preview && ` Now: ${formatCount(preview.undone)} of ${formatCount(sheets)}.`} The dates of the
            term stay.
          </p>
          <Button variant="danger-quiet" onClick={() => setIsAsked(true)}>
            <Undo2 />
            Undo the opening
          </Button>
        </>
      ) : (
        <p className="mt-1 text-fg-2 text-label">
          {`${plural(undo.undone, 'mark sheet was', 'mark sheets were')} deleted by ${undo.by.name}, ${formatDateTime(undo.at)}.`}
        </p>
      )}
      {isAsked && <UndoOpeningDialog openingId={opening_id} onClose={() => setIsAsked(false)} />}
    </section>
  );
}
