/** What the browser loads for the login page, compressed as the server sends it to a gzip-only browser. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const WEB = fileURLToPath(new URL('../../dist/web', import.meta.url));
const LIMITS = { js: 128, css: 20 } as const;

const html = readFileSync(path.join(WEB, 'index.html'), 'utf8');
const gzipKib = (file: string) => gzipSync(readFileSync(path.join(WEB, file)), { level: 9 }).length / 1024;

/** Local files with this extension that a text refers to. */
const named = (text: string, ending: 'js' | 'css') =>
  [...text.matchAll(new RegExp(`["'\`](?:\\./|/)?((?:[\\w-]+/)*[\\w.-]+\\.${ending})["'\`]`, 'g'))].flatMap(
    ([, file]) => (file === undefined ? [] : [file]),
  );

/** A module and its static imports, without dynamic imports. */
function withStaticImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(path.join(WEB, file), 'utf8');
  for (const [, imported] of source.matchAll(/(?:\bfrom|(?<![.\w$])import)\s*["'`](\.[^"'`]+\.js)["'`]/g)) {
    if (imported !== undefined) withStaticImports(path.posix.join(path.posix.dirname(file), imported), found);
  }
  return found;
}

const allFiles = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
);
const initial = new Set(named(html, 'js').flatMap((file) => [...withStaticImports(file)]));
const loginPage = allFiles.find((file) => /(^|\/)sign-in-pages[.-][^/]*\.js$/.test(file));
const scripts = new Set([...initial, ...(loginPage === undefined ? [] : withStaticImports(loginPage))]);
/** A stylesheet has the name of the chunk that imports it. */
const chunkName = (file: string) => path.posix.basename(file).replace(/-[\w-]{8}\.\w+$/, '');
const chunks = new Set([...scripts].map(chunkName));
const styles = new Set([
  ...named(html, 'css'),
  ...allFiles.filter((file) => file.endsWith('.css') && chunks.has(chunkName(file))),
]);

function report(title: string, files: Iterable<string>, limit: number) {
  const size = [...files].reduce((sum, file) => sum + gzipKib(file), 0);
  console.log(
    `${title}: ${size.toFixed(1)} KiB gzip, limit ${limit}, ratio ${(size / limit).toFixed(2)} (${size <= limit ? 'ok' : 'OVER'})`,
  );
}

report('Login page, JavaScript', scripts, LIMITS.js);
report('Login page, CSS', styles, LIMITS.css);
const onDemand = allFiles.filter((file) => file.endsWith('.js') && !scripts.has(file));
console.log(`Loaded on demand: ${onDemand.length} more scripts`);
for (const file of [...scripts].sort((a, b) => gzipKib(b) - gzipKib(a))) {
  console.log(`  ${gzipKib(file).toFixed(1).padStart(6)}  ${file}`);
}
