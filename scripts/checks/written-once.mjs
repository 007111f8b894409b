import { readdirSync } from 'node:fs';
import { inProject, readText } from '../setup/project.mjs';

/**
 * What has one place (docs/style.md, "Three patterns to copy"), with the files that may still write it by hand: a number where it
 * may stand so often and no more.
 */
const PATTERNS = [
  {
    what: 'a call by method and path; use `call` with the key of an entry',
    in: 'src/web',
    pattern: /\bcall(?:WithVersion)?<|\bsendCall[<(]|\bfetch\(/g,
    allowed: { 'src/web/lib/api.ts': 3, 'src/web/lib/call.ts': 4 },
  },
  {
    what: 'a table by hand; use `Table`',
    in: 'src/web',
    pattern: /<table\b|role="table"/g,
    allowed: {
      'src/web/ui/table.tsx': 2,
      // Part of an alert, with its look.
      'src/web/forms/conflicts/edit-conflict-notice.tsx': 1,
      // Grids: windowed rows, columns that stay, cells that are chosen and edited.
      'src/web/imports/preview/rows-table.tsx': 1,
      'src/web/marksheets/grid/marks-grid.tsx': 1,
      'src/web/students/list/table/students-table.tsx': 2,
      // An editor with fields, a chart in a column without a head, and a foot.
      'src/web/marksheets/grading/letters-table.tsx': 1,
    },
  },
  {
    what: 'a failure shown by hand; use `useTask` or `FormDialog`',
    in: 'src/web',
    pattern: /catch \(\w+\) \{[^}]*Try again\./g,
    allowed: {},
  },
  {
    what: 'a check of the role in a handler; the entry of the call has the roles',
    in: 'src/server',
    pattern: /\brequire(?:Admin|Staff)\(|\bapp\.(?:get|post|put|delete)\(\s*['"`]\/api/g,
    allowed: {},
  },
];

/**
 * The patterns that stand in more places than allowed.
 *
 * @param {(file: string) => string} [read] the text of a file
 * @returns {string[]}
 */
export function writtenOnceProblems(read = (file) => readText(inProject(file)) ?? '') {
  return PATTERNS.flatMap(({ what, in: folder, pattern, allowed }) => {
    const problems = sources(folder).flatMap((file) => {
      const count = read(file).match(pattern)?.length ?? 0;
      const most = allowed[file] ?? 0;
      return count > most ? [`${file}: ${what} (${count}, at most ${most})`] : [];
    });
    const gone = Object.keys(allowed).filter((file) => !read(file).match(pattern));
    return [...problems, ...gone.map((file) => `${file}: is allowed ${what}, but has none`)];
  });
}

const sources = (folder) =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
