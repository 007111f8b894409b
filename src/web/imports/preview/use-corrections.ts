import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Import, ImportPreviewInput } from '../../../contract/imports.ts';
import { keepErrorText } from '../../forms/messages/error-texts.ts';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { importQuery, importRowsKey } from '../import-queries.ts';

export type Correction = ImportPreviewInput['fixes'][number];

const isSameCell = (a: Correction, b: Correction) => a.line === b.line && a.field === b.field;

/** A row that is to be imported although it names another person, or is not any more. */
interface Acceptance {
  line: number;
  isAccepted: boolean;
}

/** Corrections and acceptances that wait for a new preview. */
interface Waiting {
  corrections: readonly Correction[];
  acceptances: readonly Acceptance[];
}

const NOTHING: Waiting = { corrections: [], acceptances: [] };
const isEmpty = ({ corrections, acceptances }: Waiting) => corrections.length + acceptances.length === 0;

/**
 * Cells that are corrected in the preview, and rows that are accepted there. Each asks for a new preview; those that are made while
 * one is made are checked by the next one.
 */
export function useCorrections(item: Import) {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState(NOTHING);
  const latest = useRef({ item, waiting });
  latest.current.item = item;

  const setLatest = (next: Waiting) => {
    latest.current.waiting = next;
    setWaiting(next);
  };
  const check = useTask({
    run: async () => {
      const { queryKey } = importQuery(item.import_id);
      while (!isEmpty(latest.current.waiting)) {
        const sent = latest.current.waiting;
        const { choices } = queries.getQueryData(queryKey) ?? latest.current.item;
        const { corrections, acceptances } = sent;
        const fixes = (choices?.fixes ?? []).filter(
          (fix) => !corrections.some((one) => isSameCell(fix, one)),
        );
        const accept = (choices?.accept ?? []).filter(
          (line) => !acceptances.some((one) => one.line === line),
        );
        const accepted = acceptances.flatMap(({ line, isAccepted }) => (isAccepted ? line : []));
        await call('POST /api/imports/:import_id/preview', {
          params: { import_id: item.import_id },
          body: { ...choices, fixes: [...fixes, ...corrections], accept: [...accept, ...accepted] },
          hasOverlay: false,
        });
        await queries.fetchQuery(importQuery(item.import_id));
        await queries.invalidateQueries({ queryKey: importRowsKey(item.import_id) });
        const { waiting: now } = latest.current;
        setLatest({
          corrections: now.corrections.filter((one) => !corrections.includes(one)),
          acceptances: now.acceptances.filter((one) => !acceptances.includes(one)),
        });
      }
    },
    failure: 'The corrections could not be checked. Try again.',
    rewrite: keepErrorText,
  });
  const correct = (correction: Correction) => {
    const { corrections, acceptances } = latest.current.waiting;
    const others = corrections.filter((one) => !isSameCell(one, correction));
    // A row may name somebody else once it is corrected.
    const { line } = correction;
    const kept = acceptances.filter((one) => one.line !== line);
    setLatest({
      corrections: [...others, correction],
      acceptances: [...kept, { line, isAccepted: false }],
    });
    check.start();
  };
  const accept = (line: number, isAccepted: boolean) => {
    const { corrections, acceptances } = latest.current.waiting;
    const others = acceptances.filter((one) => one.line !== line);
    setLatest({ corrections, acceptances: [...others, { line, isAccepted }] });
    check.start();
  };
  return {
    correct,
    /** Has a row imported although it names another person, or not any more. */
    accept,
    isAccepted: (line: number): boolean =>
      waiting.acceptances.find((one) => one.line === line)?.isAccepted ??
      item.choices?.accept.includes(line) ??
      false,
    /** The correction of a cell that has not been checked yet. */
    waitingText: (line: number, field: string) =>
      waiting.corrections.find((one) => one.line === line && one.field === field)?.value,
    isChecking: check.isRunning,
    /** The import would be stored without them. */
    hasUnchecked: !isEmpty(waiting),
    problem: check.problem ?? '',
    tryAgain: () => check.start(),
  };
}

export type Corrections = ReturnType<typeof useCorrections>;
