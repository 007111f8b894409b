import { readdirSync } from 'node:fs';
import path from 'node:path';
import { inProject, readText } from '../setup/project.mjs';

/** The page of which every list item is a statement, and the one where only those with a key such as `**A3**` are. */
const SPECIFICATION = 'docs/specification-coverage.md';
const PAGES = [SPECIFICATION, 'docs/security.md'];
const FOLDERS = ['src', 'tests', 'scripts'];

/**
 * Compares the keyed statements of the documents with the tests that cover them: a comment `// Covers 2.14, A3` directly
 * above a test names its statements. A statement without a key or a test, a key of two statements and an unknown key are
 * problems, one line each.
 *
 * @returns {string[]}
 */
export function coverageProblems() {
  const found = PAGES.flatMap(statements);
  const stated = new Map(found);
  const covered = new Map(testFiles().flatMap(coveredKeys));
  const repeated = found.filter(([key, line]) => stated.get(key) !== line);
  const untested = [...stated].filter(([key]) => !covered.has(key));
  const unknown = [...covered].filter(([key]) => !stated.has(key));
  return [
    ...unkeyedStatements().map((line) => `${line}: the statement has no key`),
    ...repeated.map(([key, line]) => `${line}: ${stated.get(key)} has the key ${key}, too`),
    ...untested.map(([key, line]) => `${line}: no test covers ${key}`),
    ...unknown.map(([key, line]) => `${line}: no document states ${key}`),
  ];
}

const readLines = (file) => (readText(inProject(file)) ?? '').split('\n');

const unkeyedStatements = () =>
  readLines(SPECIFICATION).flatMap((line, i) =>
    /^\s*[-*+] (?!\*\*\d+\.\d+\*\* )/.test(line) ? [`${SPECIFICATION}:${i + 1}`] : [],
  );

/** Each key of a document with the line that states it. */
const statements = (page) =>
  readLines(page).flatMap((line, i) => {
    const [, key] = /^\s*[-*+] \*\*([\w.]+)\*\* /.exec(line) ?? [];
    return key === undefined ? [] : [[key, `${page}:${i + 1}`]];
  });

const coveredKeys = (file) =>
  readLines(file).flatMap((line, i) => {
    const [, keys] = /^\s*\/\/ Covers ([\w., ]+)$/.exec(line) ?? [];
    return keys === undefined ? [] : keys.split(', ').map((key) => [key, `${file}:${i + 1}`]);
  });

function testFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true })
      .filter((file) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(file))
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
  );
}
