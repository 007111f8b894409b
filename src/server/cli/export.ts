import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { EXPORT_FORMATS, exportQuery } from '../../contract/export.ts';
import { studentView } from '../../contract/student-list.ts';
import { openBeside } from '../db/open-beside.ts';
import { transact } from '../db/transact.ts';
import { recordChange } from '../history/record-change.ts';
import { checked } from '../http/validation.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { chosenStudents } from '../students/export/chosen-students.ts';
import type { StudentPages } from '../students/export/columns.ts';
import { csvOf } from '../students/export/csv.ts';
import { xlsxOf } from '../students/export/xlsx.ts';
import { COMMAND_LINE } from './author.ts';
import type { Command } from './commands.ts';

const FILTERS = Object.keys(studentView.shape).map((name) => name.replaceAll('_', '-'));

const HELP = `Writes the list of students as a table, as the browser's export does, while the server runs or not.

  npm run sims -- export --to students.csv --department CE --current-sem 5 --sort name
  npm run sims -- export --format xlsx --to students.xlsx

  --to <file>      Where it goes; a file that is there is not written over. Without it: standard output.
  --format <kind>  csv (without it) or xlsx.
  --bom            Begins the CSV with the mark by which Excel knows UTF-8.

What narrows the list down, and its order, as in the address of the browser's list:
  ${FILTERS.map((name) => `--${name}`).join(', ')}

On standard output npm says a line of its own before: "npm run --silent sims -- export" does not.
That it was given out stands in the history, with "Command line" as the author.

Ends with 0 when all is written, with 1 when it was refused or failed.`;

/** The list of students as a file. */
export const exportStudents: Command = {
  summary: 'Writes the list of students as CSV or an Excel workbook',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({
      args,
      options: {
        to: { type: 'string' },
        format: { type: 'string', default: 'csv' },
        bom: { type: 'boolean' },
        incomplete: { type: 'boolean' },
        ...Object.fromEntries(
          FILTERS.filter((name) => name !== 'incomplete').map((name) => [name, { type: 'string' as const }]),
        ),
      },
    });
    const { to: _to, format: _format, ...asked } = values;
    const to = typeof values.to === 'string' ? values.to : undefined;
    const format = EXPORT_FORMATS.find((one) => one === values.format);
    if (format === undefined) throw new StartError(`--format must be ${EXPORT_FORMATS.join(' or ')}.`);
    if (to === undefined && format === 'xlsx' && process.stdout.isTTY) {
      throw new StartError('A workbook is nothing to be read here: say where it goes with --to <file>.');
    }
    if (to !== undefined && existsSync(to)) {
      throw new StartError(`There is a file ${to} already. An export is never written over one.`);
    }
    const query = Object.entries(asked).map(([name, value]) => [name.replaceAll('-', '_'), String(value)]);
    const { bom, ...view } = checked(exportQuery, Object.fromEntries(query));
    const db = await openBeside(readSettings(env));
    try {
      const { pages, total, total_is } = await chosenStudents(db.read, view, {});
      const entityId = randomUUID();
      const record = (action: 'create' | 'update', after: object) =>
        transact(db.write, (tx) =>
          recordChange(tx, COMMAND_LINE, { action, entity: 'export', entityId, after }),
        );
      await record('create', { format, view, total, total_is });
      let rows = 0;
      const counted = async function* (): StudentPages {
        for await (const page of pages) {
          rows += page.length;
          yield page;
        }
      };
      const pieces = format === 'csv' ? csvOf(counted(), { bom: bom === 'true' }) : xlsxOf(counted());
      await write(pieces, to).catch(async (error: unknown) => {
        await record('update', { rows, is_whole: false });
        throw error;
      });
      await record('update', { rows, is_whole: true });
      if (to !== undefined) console.log(`${rows.toLocaleString('en')} students in ${to}.`);
      return 0;
    } finally {
      await db.close();
    }
  },
};

/** A file that can't be finished does not stay, so that it is not taken for whole. */
async function write(pieces: AsyncIterable<string | Buffer>, to: string | undefined): Promise<void> {
  if (to === undefined) return pipeline(Readable.from(pieces), process.stdout, { end: false });
  const file = await open(to, 'wx', 0o600);
  try {
    await pipeline(Readable.from(pieces), file.createWriteStream());
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}
