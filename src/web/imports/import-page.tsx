import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Import, ImportKind } from '../../contract/imports.ts';
import { usePreviewedApply } from '../forms/use-previewed-apply.ts';
import { call } from '../lib/call.ts';
import { plural } from '../lib/format.ts';
import { focusMain, usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { Alert } from '../ui/alert.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { ColumnsStep } from './columns/columns-step.tsx';
import { DoneStep } from './done-step.tsx';
import { recordsText, rowsText, sourceText, writtenCount } from './import-labels.ts';
import { importQuery, importRowsKey, resetRecords, useCanActOn } from './import-queries.ts';
import { ImportSteps } from './import-steps.tsx';
import { PreviewStep } from './preview/preview-step.tsx';
import { RunningStep } from './running-step.tsx';
import { useImportSearchParams } from './search-params.ts';
import './imports.css';

const BACK = { to: '/imports', label: 'Imports' } as const;

/** One import: the step that its state leads to. */
export function ImportPage() {
  const { importId } = useParams({ strict: false });
  const id = Number(importId);
  const query = usePageQuery({ ...importQuery(id), loading: 'import' });
  usePageSubject(`Import ${id}`);
  return (
    <Page width="wide">
      {query.data === undefined ? (
        <>
          <PageHeader title="Import" back={BACK} />
          <LoadError query={query} />
        </>
      ) : (
        <OneImport key={id} item={query.data} />
      )}
    </Page>
  );
}

type Step = 'columns' | 'preview' | 'running' | 'done';

function getStep({ state }: Import, isApplying: boolean, asksForColumns: boolean): Step {
  if (isApplying || state === 'applying') return 'running';
  if (state === 'uploaded') return 'columns';
  if (state === 'cancelled' && asksForColumns) return 'columns';
  if (state === 'previewed') return asksForColumns ? 'columns' : 'preview';
  return 'done';
}

function OneImport({ item }: { item: Import }) {
  const { address } = useImportSearchParams();
  const canAct = useCanActOn(item);
  const apply = useApply(item);
  const step = getStep(item, apply.isRunning, address.step === 'columns');
  useFocusOnStep(step);
  const current = ({ columns: 'columns', preview: 'preview', running: 'import', done: 'done' } as const)[
    step
  ];
  return (
    <>
      <PageHeader
        title={titleText(item, step)}
        sub={subText(item, step)}
        back={BACK}
        actions={
          item.state === 'cancelled' && step === 'done' ? undefined : <ImportSteps current={current} />
        }
      />
      {step === 'running' ? (
        <RunningStep item={item} />
      ) : step === 'done' ? (
        <DoneStep item={item} />
      ) : !canAct ? (
        <Alert tone="warn">
          {`${item.created_by?.name ?? 'A deleted account'} has uploaded this file. Only they and administrators can go on with it.`}
        </Alert>
      ) : step === 'columns' ? (
        <ColumnsStep item={item} />
      ) : (
        item.counts !== null && (
          <PreviewStep item={item} counts={item.counts} notice={apply.notice} onApply={apply.run} />
        )
      )}
    </>
  );
}

const TITLES: Readonly<Record<ImportKind, string>> = {
  students: 'Import students',
  results: 'Import semester results',
  courses: 'Import courses',
  marks: 'Import course marks',
  scheme: 'Import the rows of a scheme',
};

function titleText(item: Import, step: Step): string {
  if (step !== 'done') return TITLES[item.kind];
  if (item.state === 'cancelled') return `Import ${item.import_id} was cancelled`;
  if (item.state === 'undone') {
    return `${recordsText(item.kind, item.undo?.undone ?? writtenCount(item))} taken back`;
  }
  return `${recordsText(item.kind, writtenCount(item))} saved`;
}

function subText(item: Import, step: Step): string {
  const source = sourceText(item);
  switch (step) {
    case 'columns':
      return `${source}, ${rowsText(item.rows)}, ${plural(item.columns.length, 'column')}.`;
    case 'preview':
      return `${source}. Nothing is saved yet.`;
    case 'running':
      return `${source}, ${rowsText(item.rows)}.`;
    case 'done':
      return `Import ${item.import_id}, ${source}`;
  }
}

/** The button that led to a step is gone with the step before. */
function useFocusOnStep(step: Step): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    window.scrollTo(0, 0);
    focusMain();
  }, [step]);
}

/** How often it is looked whether the server has begun to store. */
const START_INTERVAL_MS = 500;

/** Stores the rows. It continues when the page is left; everybody who opens the page sees the progress. */
function useApply(item: Import) {
  const queries = useQueryClient();
  const { import_id, state } = item;
  const { queryKey } = importQuery(import_id);
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey: importRowsKey(import_id) });
    await queries.invalidateQueries({ queryKey });
  };
  const { apply, isRunning, problem } = usePreviewedApply('POST /api/imports/:import_id/apply', {
    preview: item,
    onOutdated: readAgain,
    outdatedNote: 'This is the preview as it is now.',
    run: (key, { fingerprint }, choice: { partial: boolean; reason: string }) => {
      const body = { fingerprint: fingerprint ?? '', ...choice };
      return call(key, { params: { import_id }, body, hasOverlay: false });
    },
    failure: 'The import could not be applied. Try again.',
    onDone: async (done) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, done.import);
      resetRecords(queries);
    },
    onError: readAgain,
  });

  // Until the server has begun to store, its state does not tell to read again.
  useEffect(() => {
    if (!isRunning || state === 'applying') return;
    const timer = setInterval(
      () => void queries.invalidateQueries(importQuery(import_id)),
      START_INTERVAL_MS,
    );
    return () => clearInterval(timer);
  }, [queries, isRunning, state, import_id]);
  const wasApplying = useRef(state === 'applying');
  useEffect(() => {
    // It was started in another window, or before this page was left.
    if (wasApplying.current && state === 'applied' && !isRunning) resetRecords(queries);
    wasApplying.current = state === 'applying';
  }, [state, isRunning, queries]);

  return {
    run: (partial: boolean, reason: string) => apply({ partial, reason }),
    isRunning,
    notice: problem ?? '',
  };
}
