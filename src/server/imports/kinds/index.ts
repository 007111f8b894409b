import type { ImportKind } from '../../../contract/imports.ts';
import { courses } from './courses.ts';
import type { ImportedKind } from './kind.ts';
import { students } from './students.ts';

/** What is imported, by the name of the kind. */
export const KINDS: Readonly<Partial<Record<ImportKind, ImportedKind>>> = { students, courses };
