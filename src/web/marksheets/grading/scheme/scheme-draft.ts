import type { MethodParams } from '../../../../contract/marksheets/sheets.ts';
import { GRADING_METHODS } from '../../../../domain/grading/policy.ts';
import { boundariesFault } from '../../../../domain/marksheets/boundaries.ts';
import { discardDraft, readDraft, writeDraft } from '../../../lib/drafts.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { isSameScheme, type Scheme } from './scheme.ts';

/** A scheme that is not stored, and the stored one that it started from. */
export interface SchemeDraft {
  scheme: Scheme;
  base: Scheme;
}

const draftName = (sheetId: number) => `sheet-grading/${sheetId}`;

type Texts = Readonly<Record<string, string>>;

const toTexts = ({ method, params, step, boundaries }: Scheme): Texts => ({
  method,
  step: String(step),
  boundaries: boundaries?.join(' ') ?? '',
  k: params.k?.join(' ') ?? '',
  quotas: params.quotas?.join(' ') ?? '',
  absolute: params.boundaries?.join(' ') ?? '',
});

const toNumbers = (text: string | undefined): number[] | undefined =>
  text ? text.split(' ').map(Number) : undefined;

/** The scheme that texts stand for; undefined if they stand for none. */
function toScheme(texts: Texts): Scheme | undefined {
  const method = oneOf(GRADING_METHODS, texts.method);
  const boundaries = toNumbers(texts.boundaries);
  const step = Number(texts.step);
  if (method === undefined || !(step > 0)) return undefined;
  if (boundaries !== undefined && boundariesFault(boundaries) !== undefined) return undefined;
  const [k, quotas, absolute] = [texts.k, texts.quotas, texts.absolute].map(toNumbers);
  const params: MethodParams = {
    ...(k && { k }),
    ...(quotas && { quotas }),
    ...(absolute && { boundaries: absolute }),
  };
  return { method, params, step, boundaries: boundaries ?? null };
}

export function readSchemeDraft(sheetId: number): SchemeDraft | null {
  const draft = readDraft(draftName(sheetId));
  const [scheme, base] = [draft?.values, draft?.base].map((texts) => texts && toScheme(texts));
  return scheme && base ? { scheme, base } : null;
}

/** Keeps a scheme over other tabs, reloads and the end of the session; nothing is kept of one that equals its base. */
export function writeSchemeDraft(sheetId: number, draft: SchemeDraft | null): void {
  if (draft === null || isSameScheme(draft.scheme, draft.base)) discardDraft(draftName(sheetId));
  else writeDraft(draftName(sheetId), { values: toTexts(draft.scheme), base: toTexts(draft.base) });
}
