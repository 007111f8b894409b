import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { inProject } from '../setup/project.mjs';

/** The folders of the two sides that have features, from bottom to top, each with those that it may import. */
const MAY_IMPORT = {
  'src/server': {
    settings: '',
    workbook: '',
    db: 'settings',
    secrets: 'settings db',
    history: 'db',
    http: 'settings db history',
    'api-docs': 'http',
    accounts: 'settings db secrets history http',
    courses: 'db history http workbook',
    insights: 'db http',
    'saved-views': 'db history http',
    terms: 'db history http',
    pictures: 'db history http accounts',
    institution: 'db history http pictures',
    students: 'db history http pictures',
    policies: 'db history http students',
    schemes: 'db history http students',
    imports: 'db history http workbook courses students schemes',
    marksheets: 'db history http courses terms students',
    reports: 'db history http students marksheets',
    documents: 'db secrets history http pictures institution students reports marksheets',
    home: 'db http backup settings insights students marksheets',
    'history-api': 'db history http pictures courses terms institution students schemes marksheets',
    // For administrators.
    transfer: 'db secrets history',
    backup: 'db secrets transfer',
    metrics: 'db backup',
    seed: 'db secrets history http courses terms institution students schemes marksheets documents',
    verify:
      'db secrets history http pictures courses terms institution students schemes marksheets documents seed',
    bundle: '',
    cli: 'bundle settings db secrets history http accounts students imports documents transfer backup seed verify',
  },
  'src/web': {
    styles: '',
    lib: '',
    ui: 'lib',
    forms: 'lib ui',
    charts: 'lib ui',
    shell: 'lib ui',
    showcase: 'lib ui forms charts',
    accounts: 'lib ui forms',
    courses: 'lib ui forms charts',
    settings: 'lib ui forms',
    documents: 'lib ui forms shell',
    students: 'lib ui forms charts courses documents settings',
    imports: 'lib ui forms courses students schemes',
    insights: 'lib ui forms charts students',
    history: 'lib ui forms accounts courses settings students',
    palette: 'lib ui courses students',
    reports: 'lib ui charts settings students insights',
    schemes: 'lib ui forms courses settings students reports',
    marksheets: 'lib ui forms charts accounts courses settings students history reports',
    home: 'lib ui charts accounts settings students insights marksheets',
  },
};

/** Files that join the folders of a side, so no folder imports them. The other files directly in a side are for all folders. */
const JOINING = new Set([
  'src/server/app.ts',
  'src/server/main.ts',
  'src/server/serve.ts',
  'src/server/sims-bundle.ts',
  'src/server/start-bundle.ts',
  'src/web/guard.ts',
  'src/web/main.tsx',
  'src/web/router.tsx',
  'src/web/staff-layout.tsx',
]);

/**
 * Checks which folder imports which: those of a side by the list above, and that there is no cycle between folders next to
 * each other, at any depth.
 *
 * @returns {string[]} the problems, one line each
 */
export const importOrderProblems = () => findProblems(sourceFiles().flatMap(readImports));

/** The problems of these imports, each from one file to another, both with their path in the project. */
export const findProblems = (imports) => [...imports.flatMap(forbiddenImport), ...folderCycles(imports)];

function forbiddenImport({ from, to }) {
  for (const [side, mayImport] of Object.entries(MAY_IMPORT)) {
    if (!from.startsWith(`${side}/`) || !to.startsWith(`${side}/`)) continue;
    const [importer, imported] = [from, to].map((file) => topFolder(side, file));
    if (importer === undefined || importer === imported) return [];
    const allowed = mayImport[importer];
    if (allowed === undefined) return [`${from}: ${importer} has no place in the order of folders`];
    const isAllowed = imported === undefined ? !JOINING.has(to) : allowed.split(' ').includes(imported);
    return isAllowed ? [] : [`${from}: ${importer} may not import ${imported ?? path.basename(to)}`];
  }
  return [];
}

/** The folder directly in a side that a file is in; undefined for a file directly in it. */
function topFolder(side, file) {
  const [folder, ...rest] = file.slice(side.length + 1).split('/');
  return rest.length === 0 ? undefined : folder;
}

/** Folders next to each other that import each other, directly or through further ones. */
function folderCycles(imports) {
  const byParent = new Map();
  for (const { from, to } of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    const depth = a.findIndex((part, i) => part !== b[i]);
    // Otherwise one of the two is a file of the folder that both are in.
    if (depth + 1 >= Math.min(a.length, b.length)) continue;
    const parent = a.slice(0, depth).join('/');
    const folders = byParent.get(parent) ?? new Map();
    byParent.set(parent, folders.set(a[depth], (folders.get(a[depth]) ?? new Set()).add(b[depth])));
  }
  return [...byParent].flatMap(([parent, folders]) => {
    const left = findCycle(folders);
    return left.length === 0 ? [] : [`${parent}: ${left.join(', ')} import each other`];
  });
}

/** What is left of the folders when those that import none of the others left are removed, again and again. */
function findCycle(folders) {
  const left = new Set(folders.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const folder of left) if ([...folders.get(folder)].every((to) => !left.has(to))) left.delete(folder);
  }
  return [...left];
}

const sourceFiles = () =>
  readdirSync(inProject('src'), { recursive: true })
    .map((file) => path.posix.join('src', file.split(path.sep).join('/')))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** The files of the project that a file imports, types and lazy parts of the application included. */
function readImports(from) {
  const code = readFileSync(inProject(from), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(from, code).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
  ];
  return names
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ from, to: path.posix.join(path.posix.dirname(from), name) }));
}
