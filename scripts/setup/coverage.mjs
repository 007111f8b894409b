import { inProject, textOf } from './project.mjs';

const PAGE = 'docs/specification-coverage.md';
const BETWEEN = ' — ';

/**
 * What is wrong with the page that names a test for each statement of the specification, a line each: a statement
 * without a test, a file that is not there, a title that does not stand in its file as it is written there (that of
 * `test.for` and `each` with its placeholders).
 *
 * @returns {string[]}
 */
export function coverageProblems() {
  const page = textOf(inProject(PAGE));
  if (page === undefined) return [`${PAGE} is missing.`];
  const problems = page.split('\n').flatMap((line, i) => {
    if (!/^\s*[-*+] /.test(line)) return [];
    const [, ...tests] = line.split(BETWEEN);
    const found = tests.length === 0 ? ['names no test'] : tests.flatMap(problemOf);
    return found.map((problem) => `${PAGE}:${i + 1}: ${problem}`);
  });
  return statementCount(page) === 0 ? [...problems, `${PAGE} holds no statement.`] : problems;
}

const statementCount = (page) => page.split('\n').filter((line) => line.startsWith('- ')).length;

function problemOf(test) {
  const [, file, title] = /^((?:src|tests)\/\S+\.(?:test|spec)\.ts): (.+)$/.exec(test.trim()) ?? [];
  if (file === undefined) return [`"${test}" is not "path of a test: its title"`];
  const source = textOf(inProject(file));
  if (source === undefined) return [`${file} does not exist`];
  const stands = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`));
  return stands ? [] : [`${file} has no test "${title}"`];
}
