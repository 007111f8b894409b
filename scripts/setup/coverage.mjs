import { inProject, textOf } from './project.mjs';

const BETWEEN = ' — ';

/**
 * What is wrong with the page that names a test for each statement of the specification, a line each.
 *
 * @returns {string[]}
 */
export const specificationProblems = () => coverageProblems('docs/specification-coverage.md');

/** The same of the page that names a test for each attack, all in one section of it. */
export const securityProblems = () =>
  coverageProblems('docs/security.md', '## Attacks, and the tests that make them');

/**
 * A statement without a test, a file that is not there, a title that does not stand in its file as it is written there
 * (that of `test.for` and `each` with its placeholders).
 *
 * @param section the heading of the part that is looked at; without one it is the whole page
 */
function coverageProblems(file, section) {
  const page = textOf(inProject(file));
  if (page === undefined) return [`${file} is missing.`];
  let isLookedAt = section === undefined;
  let statements = 0;
  const problems = page.split('\n').flatMap((line, i) => {
    if (section !== undefined && line.startsWith('## ')) isLookedAt = line === section;
    if (!isLookedAt || !/^\s*[-*+] /.test(line)) return [];
    statements += 1;
    const [, ...tests] = line.split(BETWEEN);
    const found = tests.length === 0 ? ['names no test'] : tests.flatMap(problemOf);
    return found.map((problem) => `${file}:${i + 1}: ${problem}`);
  });
  return statements === 0 ? [...problems, `${file} holds no statement.`] : problems;
}

function problemOf(test) {
  const [, file, title] =
    /^((?:src|tests|scripts)\/\S+\.(?:test|spec)\.(?:ts|mjs)): (.+)$/.exec(test.trim()) ?? [];
  if (file === undefined) return [`"${test}" is not "path of a test: its title"`];
  const source = textOf(inProject(file));
  if (source === undefined) return [`${file} does not exist`];
  const stands = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`));
  return stands ? [] : [`${file} has no test "${title}"`];
}
