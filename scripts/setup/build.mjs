import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { withSetupLock } from './lock.mjs';
import { filesUnder, inProject, readText, root, runTool, SetupError, sha256, tools } from './project.mjs';

const STAMP = inProject('dist', '.built-from');
const NEXT = inProject('dist', '.next');
const SERVER_CONFIG = inProject('scripts', 'setup', 'vite.server.config.mjs');
const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'vite.config.ts'];

/** A hash over the names and contents of all sources of the build. */
function sources() {
  const files = filesUnder(inProject('src')).filter((file) => !/\.test\.tsx?$/.test(file));
  files.push(...CONFIGURATION.map((file) => inProject(file)), ...filesUnder(inProject('scripts', 'setup')));
  return sha256(
    ...files
      .sort()
      .flatMap((file) => [path.relative(root, file), existsSync(file) ? readFileSync(file) : '']),
  );
}

const viteBuild = (folder, ...args) => [
  'build',
  '--outDir',
  folder,
  '--emptyOutDir',
  '--logLevel',
  'warn',
  ...args,
];

async function step(title, args) {
  const env = { NODE_ENV: 'production' };
  const { code, output } = await runTool(tools.vite, args, { quiet: true, env });
  if (code !== 0) throw new SetupError(`${output.trim()}\n\nThe build of the ${title} failed.`);
}

/** Writes `.gz` and `.br` variants of the text files that benefit, so that the server never compresses. */
async function precompress(folder) {
  const worthIt = /\.(js|css|svg|html|json|webmanifest)$/;
  await Promise.all(
    filesUnder(folder)
      .filter((file) => worthIt.test(file))
      .map(async (file) => {
        const content = await readFile(file);
        if (content.length <= 1024) return;
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
      }),
  );
}

/** Renames a folder. On Windows, where a virus scanner may hold a new file, it is tried again for two seconds. */
async function renameFolder(from, to) {
  for (let tries = process.platform === 'win32' ? 40 : 1; ; tries -= 1) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (tries <= 1) throw error;
    }
    await setTimeout(50);
  }
}

/** Builds into another folder, which replaces the old build only when everything succeeded; the stamp is written last. */
async function build(builtFrom) {
  const started = Date.now();
  console.log('Building …');
  rmSync(NEXT, { recursive: true, force: true });
  mkdirSync(NEXT, { recursive: true });
  const web = path.join(NEXT, 'web');
  const parts = [
    step('server', viteBuild(path.join(NEXT, 'server'), '--config', SERVER_CONFIG)),
    step('browser application', viteBuild(web)).then(() => precompress(web)),
  ];
  const failed = (await Promise.allSettled(parts)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new SetupError(failed.map(({ reason }) => reason.message).join('\n\n'));

  rmSync(STAMP, { force: true });
  for (const name of readdirSync(NEXT)) {
    rmSync(inProject('dist', name), { recursive: true, force: true, maxRetries: 10 });
    await renameFolder(path.join(NEXT, name), inProject('dist', name));
  }
  rmSync(NEXT, { recursive: true });
  writeFileSync(STAMP, builtFrom);
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Builds if the sources have changed since the last build. */
export async function ensureBuilt() {
  if (readText(STAMP) === sources()) return;
  await withSetupLock(async () => {
    const builtFrom = sources();
    if (readText(STAMP) !== builtFrom) await build(builtFrom);
  });
}
