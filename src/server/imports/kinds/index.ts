import type { ImportKind } from '../../../contract/imports.ts';
import { invalidField } from '../../errors.ts';
import { courses } from './courses.ts';
import type { ImportedKind } from './kind.ts';
import { results } from './results.ts';
import { students } from './students.ts';

const KINDS: Readonly<Partial<Record<ImportKind, ImportedKind>>> = { students, results, courses };

/** @throws ValidationError on `kind` for a kind that can't be imported */
export function requireKind(name: ImportKind): ImportedKind {
  const kind = KINDS[name];
  if (kind === undefined) throw invalidField('kind', `The kind ${name} can not be imported.`);
  return kind;
}
