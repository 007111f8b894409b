import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { CircleAlert, Lock, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Scheme, SchemePreview } from '../../contract/schemes/schemes.ts';
import { Form } from '../forms/form.tsx';
import { FormFooter } from '../forms/form-layout.tsx';
import { usePreviewedApply } from '../forms/use-previewed-apply.ts';
import { call } from '../lib/call.ts';
import { formatCount, formatStudentCount } from '../lib/format.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page/page.tsx';
import { QueryPage } from '../ui/page/query-page.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import {
  findInForce,
  invalidateAudits,
  schemePreviewQuery,
  schemeQuery,
  schemesQuery,
} from './scheme-queries.ts';

/** What putting a draft in force would change. */
export function SchemePreviewPage() {
  const { schemeId } = useParams({ strict: false });
  const id = Number(schemeId);
  const scheme = usePageQuery({ ...schemeQuery(id), loading: 'scheme' });
  const preview = usePageQuery({ ...schemePreviewQuery(id), loading: 'effect' });
  usePageSubject(scheme.data?.body.name);
  return (
    <QueryPage
      width="wide"
      query={scheme.data ? preview : scheme}
      header={<PageHeader back={draftLink(id)} title="Effect of a scheme" />}
    >
      {(found) => scheme.data && <Effect scheme={scheme.data.body} preview={found} />}
    </QueryPage>
  );
}

const draftLink = (id: number) => ({ to: `/settings/schemes/${id}`, label: 'Draft' });

function Effect({ scheme, preview }: { scheme: Scheme; preview: SchemePreview }) {
  const { scheme_id, name, rows } = scheme;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const schemes = useQuery(schemesQuery).data ?? [];
  const publishing = usePreviewedApply('POST /api/schemes/:scheme_id/publish', {
    preview,
    run: (key, { fingerprint }) => call(key, { params: { scheme_id }, body: { fingerprint } }),
    failure: 'The scheme could not be put in force. Try again.',
    outdatedNote: 'This is the effect as it is now.',
    onOutdated: (current) => {
      queries.setQueryData(schemePreviewQuery(scheme_id).queryKey, current);
    },
    onDone: async () => {
      invalidateAudits(queries);
      await navigate({ to: '/settings/schemes/$schemeId', params: { schemeId: String(scheme_id) } });
    },
  });
  const { students, changed_students, more, fewer, other, refusals, warnings } = preview;
  const titles = new Map(rows.map(({ key, title }) => [key, title]));
  return (
    <Form onSubmit={() => publishing.apply()}>
      <PageHeader
        back={draftLink(scheme_id)}
        title={<span className="wrap-anywhere">Effect of {name}</span>}
        sub="Nothing is changed yet."
      />
      {publishing.problem !== undefined && <Alert className="mb-5">{publishing.problem}</Alert>}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 pb-7 lg:grid-cols-2">
        <div>
          <p className="text-lead text-fg-2">
            <b className="me-1.5 font-[660] text-[2.5rem] text-fg leading-12">
              {formatCount(changed_students)}
            </b>
            of {formatStudentCount(students)} would have other lacking rows
          </p>
          <dl className="mt-2 flex flex-wrap gap-y-3">
            {(
              [
                ['More', more],
                ['Fewer', fewer],
                ['As many, others', other],
              ] as const
            ).map(([title, count]) => (
              <div key={title} className="border-line pe-6 not-first:border-s not-first:ps-6">
                <dt className="text-caption text-fg-3">{title}</dt>
                <dd className="font-[620] text-[1.25rem] leading-7">{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        </div>
        <ul className="[&>li]:border-line [&>li]:not-first:border-t">
          {refusals.map(({ text }) => (
            <Note key={text} icon={CircleAlert} tone="text-danger-text">
              {text}
            </Note>
          ))}
          {warnings.map(({ text }) => (
            <Note key={text} icon={TriangleAlert} tone="text-warn">
              {text}
            </Note>
          ))}
          <Note icon={Lock} tone="text-fg-2">
            Results, CGPA and mark sheets stay as they are. Exceptions for rows that it does not have wait.
          </Note>
        </ul>
      </div>
      {preview.sample.length > 0 && (
        <section className="pb-7">
          <h2 id="sample-heading" className="pb-2.5">
            Students
          </h2>
          <TableContainer>
            <Table
              label={{ id: 'sample-heading' }}
              columns={sampleColumns(titles)}
              rows={preview.sample}
              rowKey={({ id }) => id}
              hasCards
            />
          </TableContainer>
          {preview.sample.length < changed_students && (
            <p className="mt-2 text-fg-3 text-label">
              {preview.sample.length} of {formatCount(changed_students)}, in the order of their IDs.
            </p>
          )}
        </section>
      )}
      <FormFooter note={placeText(scheme, schemes)}>
        <ButtonLink to={draftLink(scheme_id).to} variant="quiet">
          Back
        </ButtonLink>
        <Button
          type="submit"
          variant="primary"
          processing={publishing.isRunning}
          aria-disabled={refusals.length > 0 || scheme.number !== null}
        >
          Put in force
        </Button>
      </FormFooter>
    </Form>
  );
}

interface NoteProps {
  icon: LucideIcon;
  tone: string;
  children: ReactNode;
}

function Note({ icon: Icon, tone, children }: NoteProps) {
  return (
    <li className={`flex gap-2.5 py-2 text-label ${tone}`}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere min-w-0">{children}</span>
    </li>
  );
}

/** Which schemes it takes the place of. */
function placeText(
  { department, degrees }: Scheme,
  schemes: readonly Parameters<typeof findInForce>[0][number][],
): string {
  const highest = Math.max(0, ...schemes.map(({ number }) => number ?? 0));
  const before = new Set(
    degrees === null
      ? schemes.flatMap((one) => (one.department === department && one.in_force ? (one.number ?? []) : []))
      : degrees.flatMap((degree) => findInForce(schemes, { department, degree })?.number ?? []),
  );
  const numbers = [...before].sort((a, b) => a - b).map((number) => `No. ${number}`);
  const whom =
    degrees === null
      ? `all batches of ${department}`
      : degrees.map((one) => `${department}-${one}`).join(', ');
  const takes =
    numbers.length === 0
      ? `is the first for ${whom}`
      : `takes the place of ${numbers.join(', ')} for ${whom}`;
  return `It becomes No. ${highest + 1} and ${takes}. A later version can undo it, nothing else.`;
}

type SampleStudent = SchemePreview['sample'][number];

/** Keys that are named; more are counted. */
const MOST_KEYS = 8;

const sampleColumns = (titles: ReadonlyMap<string, string>): readonly Column<SampleStudent>[] => [
  {
    head: 'CMS ID',
    className: 'wrap-anywhere max-md:row-start-2 max-md:text-label',
    cell: ({ id }) => id,
  },
  {
    head: 'Name',
    className: 'strong wrap-anywhere max-md:row-start-1',
    cell: ({ id, first_name, last_name }) => (
      <Link to="/students/$studentId" params={{ studentId: id }} className="link link-quiet">
        {first_name} {last_name}
      </Link>
    ),
  },
  {
    head: 'Rows lacking',
    className: 'whitespace-nowrap max-md:col-start-2 max-md:row-span-2 max-md:row-start-1',
    cell: ({ lacking_before, lacking_after }) => (
      <>
        {lacking_before === null ? 'no scheme' : lacking_before.length}
        <span aria-hidden="true"> → </span>
        <span className="sr-only">, then </span>
        <b className="font-semibold text-fg">{lacking_after.length}</b>
      </>
    ),
  },
  {
    head: 'What changes',
    className: 'max-md:col-span-2 max-md:row-start-3',
    cell: ({ lacking_before, lacking_after }) => {
      if (lacking_before === null) return <span className="text-fg-3">All of them are new</span>;
      const come = lacking_after.filter((key) => !lacking_before.includes(key));
      const go = lacking_before.filter((key) => !lacking_after.includes(key));
      const all = [...come.map((key) => ['+', key] as const), ...go.map((key) => ['−', key] as const)];
      return (
        <span className="flex flex-wrap gap-1">
          {all.slice(0, MOST_KEYS).map(([sign, key]) => (
            <span key={`${sign}${key}`} title={titles.get(key)}>
              <Tag tone={sign === '+' ? 'warn' : 'ok'}>
                {sign} {key}
              </Tag>
            </span>
          ))}
          {all.length > MOST_KEYS && <Tag>{all.length - MOST_KEYS} more</Tag>}
        </span>
      );
    },
  },
];
