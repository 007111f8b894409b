import { createReadStream, createWriteStream, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { filesUnder, run, SetupError } from '../setup/project.mjs';
import { pathIn } from './folder.mjs';

/**
 * Packs a folder so that the same files give the same bytes: in a fixed order, without owners, all with the same date.
 *
 * @param {string} folder its name is the first part of every path in the archive
 * @param {string} file ends with `.zip` or `.tar.xz`
 * @param {Date} date
 */
export async function pack(folder, file, date) {
  await (file.endsWith('.zip') ? packZip : packTar)(folder, file, date);
}

async function packZip(folder, file, date) {
  const zip = new yazl.ZipFile();
  for (const part of filesUnder(folder)) {
    zip.addReadStreamLazy(
      `${path.basename(folder)}/${pathIn(folder, part)}`,
      { mtime: date, mode: statSync(part).mode, compressionLevel: 9 },
      (give) => give(null, createReadStream(part)),
    );
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** A folder for Linux is packed by the `tar` and `xz` of Linux. */
async function packTar(folder, file, date) {
  const { code, output } = await run(
    'tar',
    [
      ...['--create', '--xz', '--file', file, '--sort=name', '--format=gnu', '--owner=0', '--group=0'],
      ...['--numeric-owner', `--mtime=@${date.getTime() / 1000}`],
      ...['-C', path.dirname(folder), path.basename(folder)],
    ],
    { quiet: true, env: { XZ_OPT: '-4 --threads=1' } },
  );
  if (code !== 0) throw new SetupError(`${output.trim()}\n\n${file} can't be written.`);
}
