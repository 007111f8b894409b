import { useEffect, useRef, useState } from 'react';
import type { Scheme, SchemeUpdate } from '../../../contract/schemes/schemes.ts';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { callWithVersion } from '../../lib/call.ts';
import { discardDraft, readDraft, writeDraft } from '../../lib/drafts.ts';
import type { Catalogue } from './catalogue.ts';
import {
  CELL_FIELDS,
  type CellFaults,
  type CellField,
  type DraftRow,
  newRow,
  readDraftRows,
  toDraftRows,
  toRowsBody,
} from './draft-rows.ts';

/** After the last change of a cell. */
const SAVE_AFTER_MS = 600;
/** After the server could not be reached. */
const RETRY_AFTER_MS = 5_000;

export type SchemeHeadValues = Pick<Scheme, 'name' | 'department' | 'degrees'>;

interface Rows {
  past: readonly (readonly DraftRow[])[];
  present: readonly DraftRow[];
  future: readonly (readonly DraftRow[])[];
}

/** The rows that were typed in this tab and not stored, as the draft of a form. */
const draftKey = (schemeId: number) => `scheme:${schemeId}`;

/** The rows with the version that they are based on. */
function readTypedRows(schemeId: number) {
  const draft = readDraft(draftKey(schemeId));
  const { rows: text } = draft?.values ?? {};
  if (text === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? { rows: stored.map(toTypedRow), version: draft?.base.version } : undefined;
  } catch {
    return undefined;
  }
}

function toTypedRow(stored: Record<string, unknown>): DraftRow {
  const row = { ...newRow(Number(stored.semester) || 1) };
  if (typeof stored.key === 'string') row.key = stored.key;
  for (const field of CELL_FIELDS) row[field] = String(stored[field] ?? '');
  return row;
}

/**
 * The rows of a draft while they are edited. They are stored by themselves, one save at a time, when all of them can be read; with
 * another version than the one that the rows are based on nothing is stored until somebody decides.
 */
export function useSchemeDraft(scheme: Scheme, version: string | undefined, catalogue: Catalogue) {
  const { scheme_id } = scheme;
  const [typed] = useState(() => readTypedRows(scheme_id));
  const [{ present: rows }, setRows] = useState<Rows>(() => ({
    past: [],
    present: typed?.rows ?? toDraftRows(scheme.rows, catalogue),
    future: [],
  }));
  const [head, setHead] = useState<SchemeHeadValues>(scheme);
  const read = readDraftRows(rows, catalogue);
  const body: SchemeUpdate = {
    name: head.name,
    department: head.department,
    degrees: head.degrees,
    rows: toRowsBody(read),
  };
  const text = JSON.stringify(body);
  const [saved, setSaved] = useState(() => ({
    text: JSON.stringify({
      ...{ name: scheme.name, department: scheme.department, degrees: scheme.degrees },
      rows: toRowsBody(readDraftRows(toDraftRows(scheme.rows, catalogue), catalogue)),
    }),
    // Rows that were typed on top of another version are not stored over it.
    version: typed?.version ?? version,
    at: null as string | null,
  }));
  const isReadable = read.faults.size === 0;
  const latest = useRef({ canSave: false, save: () => {}, text });
  const isDirty = text !== saved.text || !isReadable;

  const saving = useTask({
    run: async (sent: { body: SchemeUpdate; text: string; ifMatch: string | undefined }) => {
      const reply = await callWithVersion('PUT /api/schemes/:scheme_id', {
        params: { scheme_id },
        body: sent.body,
        ifMatch: sent.ifMatch,
        hasOverlay: false,
      });
      if (latest.current.text === sent.text) discardDraft(draftKey(scheme_id));
      return { version: reply.version, text: sent.text };
    },
    failure: 'The draft is not saved. It is tried again.',
    fields: body.rows.flatMap((_, i) => ROW_FIELDS.map(([name]) => `rows.${i}.${name}`)),
    onDone: (done) => setSaved({ ...done, at: new Date().toISOString() }),
  });
  const { error, input, isRunning, start } = saving;
  const isLast = error !== null && input?.text === text && input.ifMatch === saved.version;
  const conflict =
    error instanceof ApiError && error.status === 412 && input?.ifMatch === saved.version ? error : undefined;
  const isLost = error !== null && !(error instanceof ApiError && error.status >= 400 && error.status < 500);
  const save = () => start({ body, text, ifMatch: saved.version });
  const canSave = text !== saved.text && isReadable && !isRunning && conflict === undefined;

  useEffect(() => {
    if (!canSave || (isLast && !isLost)) return;
    const timer = setTimeout(save, isLast ? RETRY_AFTER_MS : SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  });
  // A page that is left stores what is not stored yet.
  latest.current = { canSave, save, text };
  useEffect(
    () => () => {
      if (latest.current.canSave) latest.current.save();
    },
    [],
  );
  useEffect(() => {
    if (isDirty)
      writeDraft(draftKey(scheme_id), {
        values: { rows: JSON.stringify(rows) },
        base: saved.version === undefined ? {} : { version: saved.version },
      });
    else discardDraft(draftKey(scheme_id));
  }, [isDirty, rows, scheme_id, saved.version]);

  return {
    rows,
    head,
    read,
    isDirty,
    isReadable,
    isRunning,
    isLost,
    savedAt: saved.at,
    version: saved.version,
    body,
    conflict,
    problem: conflict === undefined && isLast ? saving.problem : undefined,
    /** What the server refuses in cells. */
    refused: isLast ? toCellFaults(saving.errors, read.rows) : new Map<number, CellFaults>(),
    save,
    setHead: (values: SchemeHeadValues, version: string | undefined) => {
      setHead(values);
      setSaved({
        text: JSON.stringify({ ...body, ...pickHead(values) }),
        version,
        at: new Date().toISOString(),
      });
    },
    /** Stores over what somebody else has stored. */
    keepMine: (version: string) => setSaved((before) => ({ ...before, version })),
    discard: () => discardDraft(draftKey(scheme_id)),
    change: (update: (rows: readonly DraftRow[]) => readonly DraftRow[]) =>
      setRows((now) => {
        const next = update(now.present);
        return next === now.present ? now : { past: [...now.past, now.present], present: next, future: [] };
      }),
    undo: () =>
      setRows(({ past, present, future }) => {
        const before = past.at(-1);
        if (before === undefined) return { past, present, future };
        return { past: past.slice(0, -1), present: before, future: [present, ...future] };
      }),
    redo: () =>
      setRows(({ past, present, future }) => {
        const [next, ...rest] = future;
        if (next === undefined) return { past, present, future };
        return { past: [...past, present], present: next, future: rest };
      }),
  };
}

export type SchemeDraft = ReturnType<typeof useSchemeDraft>;

const pickHead = ({ name, department, degrees }: SchemeHeadValues) => ({ name, department, degrees });

/** Where the server's texts about a part of a row stand. */
const ROW_FIELDS = [
  ['key', 'code'],
  ['options', 'code'],
  ['title', 'title'],
  ['theory', 'hours'],
  ['lab', 'hours'],
  ['needs', 'needs'],
] as const satisfies readonly (readonly [string, CellField])[];

function toCellFaults(
  errors: Partial<Record<string, string>>,
  rows: readonly { id: number }[],
): Map<number, CellFaults> {
  const found = new Map<number, CellFaults>();
  for (const [i, { id }] of rows.entries()) {
    for (const [name, field] of ROW_FIELDS) {
      const text = errors[`rows.${i}.${name}`];
      if (text !== undefined) found.set(id, { [field]: text, ...found.get(id) });
    }
  }
  return found;
}
