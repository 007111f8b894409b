import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { EXPORT_FORMATS, exportQuery } from '../../contract/students/export.ts';
import { studentView } from '../../contract/students/student-list.ts';
import { EXPORT_COLUMNS } from '../../domain/export-columns.ts';
import { formatCount } from '../../domain/format-count.ts';
import { recordChange } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import { parseInput } from '../http/validation.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import type { StudentPages } from '../students/export/columns.ts';
import { toCsv } from '../students/export/csv.ts';
import { selectedStudents } from '../students/export/selection.ts';
import { exportTable } from '../students/export/table.ts';
import { toXlsx } from '../students/export/xlsx.ts';
import { openForCommand } from '../transfer/open-for-command.ts';
import { COMMAND_LINE_AUTHOR, type Command } from './command.ts';
import { print } from './print.ts';

const FILTERS = Object.keys(studentView.shape).map((name) => name.replaceAll('_', '-'));

const HELP = `Writes the list of students as a table, as the export of the browser does. The server may be running.

  ${SIMS_COMMAND} export --to students.csv --department CE --current-sem 5 --sort name
  ${SIMS_COMMAND} export --to students.xlsx

  --to <file>      The file; an existing one is never overwritten. Standard output by default.
  --format <kind>  csv or xlsx; by the ending of the file, csv by default.
  --separator <w>  comma (default) or semicolon, between the cells of a CSV: Excel in German or French expects semicolons.
  --columns <list> Names of the columns wanted, separated by commas; all by default:
                   ${EXPORT_COLUMNS.slice(0, 9).join(',')},
                   ${EXPORT_COLUMNS.slice(9).join(',')}
  --results <how>  none (default), subjects (a row for each subject) or courses (a column for each course).
  --bom            Starts CSV on standard output with a byte order mark, by which Excel recognises UTF-8; a file always does.

Filters and order, as in the address of the list in the browser:
  ${FILTERS.map((name) => `--${name}`).join(', ')}

On standard output npm writes lines of its own first; "npm run --silent sims -- export" does not.
The history records the export, with "Command line" as the author.

Exit code 0 when everything was written, 1 when refused or failed.`;

/** `sims export` */
export const exportStudents: Command = {
  summary: 'Writes the list of students as CSV or an Excel workbook',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({
      args,
      options: {
        to: { type: 'string' },
        format: { type: 'string' },
        bom: { type: 'boolean' },
        separator: { type: 'string' },
        columns: { type: 'string' },
        results: { type: 'string' },
        incomplete: { type: 'boolean' },
        ...Object.fromEntries(
          FILTERS.filter((name) => name !== 'incomplete').map((name) => [name, { type: 'string' as const }]),
        ),
      },
    });
    const { to: _to, format: _format, ...asked } = values;
    const to = typeof values.to === 'string' ? values.to : undefined;
    const named = EXPORT_FORMATS.find((one) => to?.toLowerCase().endsWith(`.${one}`));
    const format = EXPORT_FORMATS.find((one) => one === (values.format ?? named ?? 'csv'));
    if (format === undefined) throw new StartError(`--format must be ${EXPORT_FORMATS.join(' or ')}.`);
    if (named !== undefined && named !== format)
      throw new StartError(`The file ${to} would not be what its name says: its format is ${format}.`);
    if (to === undefined && format === 'xlsx' && process.stdout.isTTY) {
      throw new StartError('A workbook cannot be shown in a terminal: name a file with --to <file>.');
    }
    if (to !== undefined && existsSync(to)) {
      throw new StartError(`The file ${to} exists already. An export never overwrites a file.`);
    }
    const query = Object.entries(asked).map(([name, value]) => [name.replaceAll('-', '_'), String(value)]);
    const { bom, separator, columns, results, ...view } = parseInput(exportQuery, Object.fromEntries(query));
    const db = await openForCommand(readCheckedSettings(env, console.warn));
    try {
      const { pages, total, total_is } = await selectedStudents(db.read, view, {});
      const entityId = randomUUID();
      const record = (action: 'create' | 'update', after: object) =>
        transact(db.write, (tx) =>
          recordChange(tx, COMMAND_LINE_AUTHOR, { action, entity: 'export', entityId, after }),
        );
      await record('create', {
        format,
        view,
        columns,
        ...(results !== 'none' && { results }),
        total,
        total_is,
      });
      let rows = 0;
      const counted = async function* (): StudentPages {
        for await (const page of pages) {
          rows += page.length;
          yield page;
        }
      };
      const table = await exportTable(db.read, counted(), { columns, results });
      const pieces =
        format === 'csv'
          ? toCsv(table, { bom: bom === 'true' || to !== undefined, separator })
          : toXlsx(table);
      await write(pieces, to).catch(async (error: unknown) => {
        await record('update', { rows, is_whole: false });
        throw error;
      });
      await record('update', { rows, is_whole: true });
      if (to !== undefined) print(`${formatCount(rows)} students in ${to}.`);
      return 0;
    } finally {
      await db.close();
    }
  },
};

/** Removes an incomplete file, so that it is not mistaken for a complete export. */
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
