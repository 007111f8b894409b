import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OpenableClass } from '../../../contract/marksheets/openings.ts';
import type { Term } from '../../../contract/terms.ts';
import { calendarDate } from '../../../domain/age.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter } from '../../forms/form-layout.tsx';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { usePreviewedApply } from '../../forms/use-previewed-apply.ts';
import { errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { plural } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { useSettledText } from '../../lib/use-debounced.ts';
import { currentTerm } from '../../settings/current-term.ts';
import { openableClassesQuery, resetOpenings } from '../../settings/openings/opening-queries.ts';
import { termsQuery } from '../../settings/term-queries.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { QueryPage } from '../../ui/page/query-page.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { useSheetsSearchParams } from '../search-params.ts';
import { ClassPicker } from './class-picker.tsx';
import { PlannedSheets } from './planned-sheets.tsx';
import { TermDays } from './term-days.tsx';
import { type OpeningBody, useOpeningChoice } from './use-opening-choice.ts';
import { useUndoOpening } from './use-undo-opening.ts';

const BACK = { to: '/marksheets', label: 'Mark sheets' } as const;
const PREVIEW_PAUSE_MS = 250;

/** Makes the mark sheets of classes in a term: one for each row of their schemes, with the class list. */
export function OpenTermPage() {
  const terms = usePageQuery({ ...termsQuery, loading: 'terms' });
  const { address } = useSheetsSearchParams();
  const all = terms.data ?? [];
  const term =
    all.find(({ term_id }) => String(term_id) === address.term) ?? currentTerm(all, calendarDate(new Date()));
  if (terms.data !== undefined && term === undefined) {
    return (
      <Page width="wide">
        <PageHeader back={BACK} title="Open a term" />
        <EmptyState
          title="No term has been added yet"
          text="Mark sheets belong to a term. Add it in the settings first."
          action={
            <ButtonLink to="/settings/terms/create" variant="primary">
              Add a term
            </ButtonLink>
          }
        />
      </Page>
    );
  }
  return (
    <QueryPage width="wide" query={terms} header={<PageHeader back={BACK} title="Open a term" />}>
      {(found) => term && <OpenTerm key={term.term_id} term={term} terms={found} />}
    </QueryPage>
  );
}

interface OpenTermProps {
  term: Term;
  terms: readonly Term[];
}

function OpenTerm({ term, terms }: OpenTermProps) {
  const { change } = useSheetsSearchParams();
  const classes = usePageQuery({ ...openableClassesQuery(term.term_id), loading: 'classes' });
  return (
    <>
      <PageHeader
        back={BACK}
        title={<span className="wrap-anywhere">Open {term.name}</span>}
        sub="One draft sheet for each row of the scheme, with the class list. Nothing is made yet."
        actions={
          <SelectField
            name="term"
            label="Term"
            value={String(term.term_id)}
            onChange={(id) => change({ term: id })}
            options={terms.map(({ term_id, name }) => ({ value: String(term_id), label: name }))}
          />
        }
      />
      {classes.isError && <Alert>{errorMessage(classes.error, 'The classes could not be read.')}</Alert>}
      {classes.data?.length === 0 && (
        <EmptyState title="No active student" text="A term is opened for classes with active students." />
      )}
      {classes.data && classes.data.length > 0 && <OpenClasses term={term} classes={classes.data} />}
    </>
  );
}

/** How the term would be opened, after a pause in choosing. The sheets before stay until those of another choice are found. */
function useOpeningPreview(termId: number, body: OpeningBody | undefined) {
  const text = JSON.stringify(body ?? null);
  const settled = useSettledText(text, PREVIEW_PAUSE_MS);
  const queryKey = ['openings', 'preview', termId, settled];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call('POST /api/terms/:term_id/openings/preview', {
        params: { term_id: termId },
        body: JSON.parse(settled),
        signal,
        hasOverlay: false,
      }),
    placeholderData: keepPreviousData,
    enabled: settled !== 'null' && settled === text,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  return { query, queryKey, isCurrent: settled === text && !query.isPlaceholderData && query.isSuccess };
}

function OpenClasses({ term, classes }: { term: Term; classes: readonly OpenableClass[] }) {
  const { term_id } = term;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const choice = useOpeningChoice(classes);
  const { body } = choice;
  const { query, queryKey, isCurrent } = useOpeningPreview(term_id, body);
  const undoing = useUndoOpening();
  const preview = body && query.data;
  const opening = usePreviewedApply('POST /api/terms/:term_id/openings', {
    preview: isCurrent ? preview : undefined,
    run: (key, { fingerprint }, chosen: OpeningBody) => {
      const sent = { ...chosen, fingerprint };
      return call(key, { params: { term_id }, body: sent, idempotencyKey: idempotencyKey(sent) });
    },
    failure: 'The term could not be opened. Try again.',
    outdatedNote: 'This is how it would be opened now.',
    onOutdated: (current) => void queries.setQueryData(queryKey, current),
    undo: ({ opening: { opening_id } }) => undoing.start(opening_id),
    onDone: async ({ opening: { opening_id } }) => {
      await resetOpenings(queries);
      await navigate({
        to: '/marksheets/open/$termId/$openingId',
        params: { termId: String(term_id), openingId: String(opening_id) },
      });
    },
  });
  const problem =
    opening.problem ??
    (query.isError ? errorMessage(query.error, 'The preview could not be made.') : undefined);
  const create = preview?.totals.create ?? 0;
  return (
    <Form onSubmit={() => body && opening.apply(body)}>
      {problem !== undefined && <Alert className="mb-5">{problem}</Alert>}
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-9 gap-y-6 pb-7 lg:grid-cols-[minmax(300px,364px)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <TermDays term={term} preview={preview} />
          <ClassPicker classes={classes} choice={choice} />
          <p className="text-fg-3 text-label">
            Each sheet begins with the usual assessments, those of rows with lab hours with a lab. They can be
            changed on each sheet.
          </p>
        </div>
        {preview ? (
          <div aria-busy={!isCurrent} className={isCurrent ? undefined : 'opacity-60'}>
            <PlannedSheets preview={preview} classes={classes} choice={choice} />
          </div>
        ) : body === undefined ? (
          <EmptyState title="No class is chosen" text="Choose the classes for which the term is opened." />
        ) : (
          !query.isError && <TableSkeleton />
        )}
      </div>
      <FormFooter note={preview && footNote(preview.sheets)}>
        <ButtonLink to={BACK.to} variant="quiet">
          Cancel
        </ButtonLink>
        <Button
          type="submit"
          variant="primary"
          processing={opening.isRunning}
          disabled={!isCurrent || create === 0}
        >
          {create === 0 && isCurrent
            ? 'Nothing to open'
            : `Open ${preview === undefined ? 'the term' : `${plural(create, 'mark sheet')}`}`}
        </Button>
      </FormFooter>
    </Form>
  );
}

function footNote(sheets: readonly { options: readonly unknown[]; course_id: number | null }[]): string {
  const open = sheets.filter(({ options, course_id }) => options.length > 0 && course_id === null).length;
  const skipped =
    open === 0
      ? ''
      : `${plural(open, 'row has', 'rows have')} no course yet and ${open === 1 ? 'is' : 'are'} skipped. `;
  return `${skipped}All of it can be undone as one while the sheets are untouched.`;
}
