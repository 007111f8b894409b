import type { ImportKind } from '../../../contract/imports.ts';
import { courses } from './courses.ts';
import type { ImportedKind } from './kind.ts';
import { marks } from './marks.ts';
import { results } from './results.ts';
import { scheme } from './scheme.ts';
import { students } from './students.ts';

export const KINDS: Readonly<Record<ImportKind, ImportedKind>> = {
  students,
  results,
  courses,
  marks,
  scheme,
};
