import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Import, ImportPreview, ImportPreviewInput } from '../../../contract/imports.ts';
import { call } from '../../lib/api.ts';
import { importErrorText, importPath, importQuery, importRowsKey } from '../import-queries.ts';

export type Correction = ImportPreviewInput['fixes'][number];

const isSameCell = (a: Correction, b: Correction) => a.line === b.line && a.field === b.field;

/**
 * Cells that are corrected in the preview. Each asks for a new preview; those that are made while one is made are checked by
 * the next one.
 */
export function useCorrections(item: Import) {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<readonly Correction[]>([]);
  const [problem, setProblem] = useState('');
  const [isChecking, setIsChecking] = useState(false);
  const latest = useRef({ item, waiting, isChecking: false });
  latest.current.item = item;

  const setLatest = (corrections: readonly Correction[]) => {
    latest.current.waiting = corrections;
    setWaiting(corrections);
  };
  const check = async () => {
    if (latest.current.isChecking) return;
    latest.current.isChecking = true;
    setIsChecking(true);
    setProblem('');
    const { queryKey } = importQuery(item.import_id);
    try {
      while (latest.current.waiting.length > 0) {
        const sent = latest.current.waiting;
        const { choices } = queries.getQueryData(queryKey) ?? latest.current.item;
        const before = (choices?.fixes ?? []).filter((fix) => !sent.some((one) => isSameCell(fix, one)));
        await call<ImportPreview>('POST', `${importPath(item.import_id)}/preview`, {
          body: { ...choices, fixes: [...before, ...sent] },
          hasOverlay: false,
        });
        await queries.fetchQuery(importQuery(item.import_id));
        await queries.invalidateQueries({ queryKey: importRowsKey(item.import_id) });
        setLatest(latest.current.waiting.filter((one) => !sent.includes(one)));
      }
    } catch (error) {
      setProblem(importErrorText(error, 'The corrections could not be checked. Try again.'));
    } finally {
      latest.current.isChecking = false;
      setIsChecking(false);
    }
  };
  const correct = (correction: Correction) => {
    const others = latest.current.waiting.filter((one) => !isSameCell(one, correction));
    setLatest([...others, correction]);
    void check();
  };
  return {
    correct,
    /** Of a cell that has not been checked yet. */
    waitingText: (line: number, field: string) =>
      waiting.find((one) => one.line === line && one.field === field)?.value,
    isChecking,
    /** The import would be stored without them. */
    hasUnchecked: waiting.length > 0,
    problem,
    tryAgain: () => void check(),
  };
}

export type Corrections = ReturnType<typeof useCorrections>;
