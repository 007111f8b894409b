import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { courseQuery } from '../../../courses/course-queries.ts';
import { Button } from '../../../ui/button.tsx';
import { serializeView, toStudentsSearchParams, toStudentView } from '../model/list-query.ts';
import type { StudentsSearchParams } from '../model/search-params.ts';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { suggestViewName } from './suggested-name.ts';
import { savedViewsQuery, useSavedViews } from './use-saved-views.ts';

/** The state that the row must show before it gets the focus back: the button that had it is replaced by others. */
type AwaitedView = { kind: 'saved' } | { kind: 'removed'; id: number };

/** The links above the list: all students, and the user's saved views. */
export function SavedViews({ address }: { address: StudentsSearchParams }) {
  const views = useQuery(savedViewsQuery);
  const queries = useQueryClient();
  const [naming, setNaming] = useState<'new' | 'rename'>();
  const row = useRef<HTMLElement>(null);
  const [awaited, setAwaited] = useState<AwaitedView>();
  const { create, rename, remove } = useSavedViews({
    onRemoved: ({ id }) => setAwaited({ kind: 'removed', id }),
  });
  const key = serializeView(toStudentView(address));
  const active = views.data?.find(
    ({ view }) => serializeView(toStudentView(toStudentsSearchParams(view))) === key,
  );

  const isShown =
    awaited?.kind === 'removed' ? views.data?.every(({ id }) => id !== awaited.id) : active !== undefined;
  useEffect(() => {
    if (awaited === undefined || !isShown) return;
    setAwaited(undefined);
    const [current, button] = ['[aria-current]', 'button'].map((part) =>
      row.current?.querySelector<HTMLElement>(part),
    );
    (current ?? button)?.focus();
  }, [awaited, isShown]);

  const failedCode = () =>
    address.failed === undefined
      ? undefined
      : queries.getQueryData(courseQuery(address.failed).queryKey)?.course?.course_code;

  return (
    <section ref={row} aria-label="Views" className="mb-3 flex items-end gap-2 border-line border-b">
      <ul className="-mb-px flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:thin]">
        <ViewLink address={{}} isActive={key === '{}'}>
          All students
        </ViewLink>
        {views.data?.map((saved) => (
          <ViewLink key={saved.id} address={toStudentsSearchParams(saved.view)} isActive={saved === active}>
            {saved.name}
          </ViewLink>
        ))}
      </ul>
      {views.isError && (
        <Button variant="quiet" size="sm" onClick={() => void views.refetch()}>
          Load saved views again
        </Button>
      )}
      {active ? (
        <>
          <RowButton icon={<Pencil />} onClick={() => setNaming('rename')}>
            Rename view
          </RowButton>
          <RowButton icon={<Trash2 />} onClick={() => remove(active)}>
            Remove view
          </RowButton>
        </>
      ) : (
        views.data &&
        key !== '{}' && (
          <RowButton icon={<BookmarkPlus />} onClick={() => setNaming('new')}>
            Save this view
          </RowButton>
        )
      )}
      {naming === 'new' && (
        <SaveViewDialog
          title="Save this view"
          name={suggestViewName(address, failedCode())}
          onSave={(name) =>
            create({ name, view: toStudentView(address) }).then(() => setAwaited({ kind: 'saved' }))
          }
          onClose={() => setNaming(undefined)}
        />
      )}
      {naming === 'rename' && active && (
        <SaveViewDialog
          title="Rename this view"
          name={active.name}
          onSave={(name) => rename(active, name)}
          onClose={() => setNaming(undefined)}
        />
      )}
    </section>
  );
}

interface ViewLinkProps {
  address: StudentsSearchParams;
  isActive: boolean;
  children: ReactNode;
}

function ViewLink({ address, isActive, children }: ViewLinkProps) {
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive && entry.current) scrollWithinStrip(entry.current);
  }, [isActive]);
  return (
    <li ref={entry} className="shrink-0">
      <Link
        to="/students"
        search={address}
        activeOptions={{ exact: true }}
        aria-current={isActive ? 'page' : undefined}
        resetScroll={false}
        className="flex min-h-9 items-center whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-fg-2 text-label -outline-offset-2 hover:text-fg aria-[current]:border-ink aria-[current]:font-semibold aria-[current]:text-ink-text pointer-coarse:min-h-11"
      >
        {children}
      </Link>
    </li>
  );
}

/** Not by `scrollIntoView`, which would also scroll the page and lose the position of the list. */
function scrollWithinStrip(entry: HTMLElement): void {
  const strip = entry.parentElement;
  if (strip === null) return;
  const [own, visible] = [entry.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += Math.min(0, own.left - visible.left) || Math.max(0, own.right - visible.right);
}

/** Small screens show the icon only. */
function RowButton({ icon, children, onClick }: { icon: ReactNode; children: string; onClick: () => void }) {
  return (
    <Button variant="quiet" size="sm" className="mb-0.5 shrink-0" onClick={onClick}>
      {icon}
      <span className="max-md:sr-only">{children}</span>
    </Button>
  );
}
