import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { objectOnly } from '../../contract/fields.ts';
import {
  DATE_ORDERS,
  IMPORT_KINDS,
  type ImportPreview,
  importApplyInput,
  importInput,
  importPreviewInput,
} from '../../contract/imports.ts';
import { formatCount, plural } from '../../domain/format-count.ts';
import { openDatabase } from '../backup/open-database.ts';
import type { Database } from '../db/database.ts';
import { formatLocation, getLocation } from '../db/location.ts';
import { transact } from '../history/transaction.ts';
import { checkInput, parseInput } from '../http/validation.ts';
import { applyImport } from '../imports/apply.ts';
import { programImporter } from '../imports/importer.ts';
import { findImport, type ImportRecord, noSuchImport, parseChoices, parseFile } from '../imports/imports.ts';
import { previewImport } from '../imports/preview.ts';
import { listRows, refusalTexts, refusedCsv } from '../imports/rows.ts';
import { RunningImports } from '../imports/running.ts';
import { completeUpload, deleteImport, storeUpload } from '../imports/upload.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import { isInstalled } from '../transfer/open-read-only.ts';
import { COMMAND_LINE_AUTHOR, type Command } from './command.ts';
import { print } from './print.ts';

/** Refused rows that are printed; all of them are in the file of --refused. */
const MOST_PRINTED = 50;

const HELP = `Imports a CSV or XLSX file, with the same checks as in the browser: all of its rows, or none.

  ${SIMS_COMMAND} import students intake.xlsx --dry-run
  ${SIMS_COMMAND} import students intake.xlsx
  ${SIMS_COMMAND} import results fall.csv --mapping fall.json --partial
  ${SIMS_COMMAND} import marks ce-201.csv --course 201

  <kind>           ${IMPORT_KINDS.join(', ')}. The templates of the browser have their headings.
  --mapping <file> How the file is read, as JSON, where the headings do not say it:
                   {"mapping": {"id": "Roll No", "syn": 7}, "date_orders": {"DOB": "day-first"},
                    "values": {"degree": "48"}, "mode": "create", "name_split": "last-word",
                    "accept": [12]}
                   Columns by their headings, or by numbers from 0. With "mapping" no other column is read. The rows of the lines
                   under "accept" are imported although they name another person than the record of their ID.
  --sheet <name>   The sheet of a workbook; the first one that is not hidden by default.
  --course <id>    The course of an import of marks.
  --scheme <id>    The draft of a scheme whose rows an import of a scheme replaces.
  --dry-run        Says what would be stored, and stores nothing.
  --partial        Leaves out refused rows and imports the others.
  --refused <file> Writes the refused rows with the reasons as CSV, to correct and import again.
  --reason <text>  Why results are changed that come from mark sheets, 10 to 500 characters. Not needed for others.

With SQLite the server must be stopped, because an import is one long transaction; with PostgreSQL it may be running. The history
names "Command line" as the author. An administrator can undo the import in the browser.

Exit code 0 when all rows were imported, or with --partial the good ones, or with --dry-run could be; 1 when refused or failed.`;

const column = z.union([z.string(), z.int()]);
/** The choices of a preview, with columns by their headings too. A person writes it, so a misspelt name is refused. */
const mappingFile = z.strictObject({
  ...importPreviewInput.shape,
  mapping: z.record(z.string(), column, objectOnly).optional(),
  date_orders: z.record(z.string(), z.enum(DATE_ORDERS), objectOnly).optional(),
});

/** `sims import` */
export const importFile: Command = {
  summary: 'Imports students, results, courses, marks or the rows of a scheme from a file',
  help: HELP,
  run: async (args, env) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        mapping: { type: 'string' },
        sheet: { type: 'string' },
        course: { type: 'string' },
        scheme: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        partial: { type: 'boolean', default: false },
        refused: { type: 'string' },
        reason: { type: 'string' },
      },
    });
    const [kind, file, ...others] = positionals;
    if (kind === undefined || file === undefined || others.length > 0) {
      throw new StartError('Name a kind and a file: import students intake.csv. Details: import --help');
    }
    if (values.refused !== undefined && existsSync(values.refused)) {
      throw new StartError(`The file ${values.refused} exists already. It is not overwritten.`);
    }
    const { sheet, course: course_id, scheme: scheme_id } = values;
    const input = parseInput(importInput, { kind, sheet, course_id, scheme_id });
    const upload = { bytes: await readFile(file), name: path.basename(file) };
    const { reason } = parseInput(importApplyInput.pick({ reason: true }), { reason: values.reason });
    const choices = await readChoices(values.mapping);
    const settings = readCheckedSettings(env, console.warn);
    const location = getLocation(settings);
    // Opening an empty database would create the tables.
    if (!(await isInstalled(location)))
      throw new StartError(`${formatLocation(location)} holds no SIMS records.`);
    const db = await openDatabase(settings);
    try {
      const stored = await storeUpload(db, input, { upload, userId: null });
      try {
        const row = await transact(db.write, (tx) => completeUpload(tx, stored));
        return await importRows(db, row, {
          choices,
          isDryRun: values['dry-run'],
          isPartial: values.partial,
          refusedTo: values.refused,
          reason,
        });
      } finally {
        // An applied import stays.
        await deleteUnlessApplied(db, stored.importId);
      }
    } finally {
      await db.close();
    }
  },
};

type SentChoices = z.output<typeof mappingFile>;

async function readChoices(file: string | undefined): Promise<SentChoices> {
  if (file === undefined) return parseInput(mappingFile, {});
  const text = await readFile(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new StartError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const checked = checkInput(mappingFile, json);
  if ('input' in checked) return checked.input;
  const faults = Object.entries(checked.errors).map(
    ([field, texts]) => `${file}: ${field}: ${texts.join(' ')}`,
  );
  throw new StartError(faults.join('\n'));
}

async function importRows(
  db: Database,
  row: ImportRecord,
  {
    choices,
    isDryRun,
    isPartial,
    refusedTo,
    reason,
  }: {
    choices: SentChoices;
    isDryRun: boolean;
    isPartial: boolean;
    refusedTo: string | undefined;
    reason: string | null;
  },
): Promise<number> {
  const running = new RunningImports(db);
  const importer = programImporter(COMMAND_LINE_AUTHOR);
  const importId = row.id;
  const input = withColumnNumbers(choices, row);
  const { fingerprint, counts } = await previewImport(db, running, importer, { importId, input });
  const previewed = await findImport(db.read, importId);
  if (previewed === undefined) throw noSuchImport();
  printColumns(previewed);
  printCounts(counts);
  await printRefused(db, previewed, counts.refused);
  if (refusedTo !== undefined && counts.refused > 0) {
    await writeFile(refusedTo, refusedCsv(db.read, previewed));
    print(`The refused rows are in ${refusedTo}.`);
  }
  const lacksReason = previewed.needs_reason !== null && reason === null;
  if (lacksReason) print(`${previewed.needs_reason} Give it with --reason.`);
  const good = counts.create + counts.update;
  const isRefused = counts.refused > 0 && !isPartial;
  if (isDryRun) {
    print('Nothing was stored.');
    return isRefused || lacksReason ? 1 : 0;
  }
  if (isRefused) {
    print(
      good === 0
        ? 'Nothing was imported.'
        : `Nothing was imported. Correct the refused rows, or import only the other ${formatCount(good)} with --partial.`,
    );
    return 1;
  }
  if (good === 0) {
    print('Nothing was imported: no row is new or changes anything.');
    return counts.refused > 0 ? 1 : 0;
  }
  if (lacksReason) {
    print('Nothing was imported.');
    return 1;
  }
  const apply = { fingerprint, partial: isPartial, accept: [], reason };
  print(await applyImport(db, running, importer, { importId, input: apply }));
  return 0;
}

/** Columns by their headings become those by their numbers. */
function withColumnNumbers({ mapping, date_orders, ...choices }: SentChoices, row: ImportRecord) {
  const { columns } = parseFile(row);
  const toNumber = (name: string | number): number => {
    const found = columns.filter(({ heading, index }) => heading === name || String(index) === String(name));
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) return only.index;
    throw new StartError(
      only === undefined
        ? `There is no column "${name}" in the file. Its columns are: ${columns.map(({ heading }) => `"${heading}"`).join(', ')}.`
        : `The file has several columns "${name}". Name one by its number from 0.`,
    );
  };
  return {
    ...choices,
    ...(mapping && {
      mapping: Object.fromEntries(Object.entries(mapping).map(([field, name]) => [field, toNumber(name)])),
    }),
    ...(date_orders && {
      date_orders: Object.fromEntries(
        Object.entries(date_orders).map(([name, order]) => [String(toNumber(name)), order]),
      ),
    }),
  };
}

function printColumns(row: ImportRecord): void {
  const { columns, encoding, encoding_samples, hidden_lines } = parseFile(row);
  print(`${plural(row.rows, 'row')}, ${columns.length} columns.`);
  if (encoding_samples.length > 0) print(`Read as ${encoding}: ${encoding_samples.join(', ')}`);
  if (hidden_lines.length > 0) {
    const lines = hidden_lines.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
    print(`Hidden in the workbook, and imported as the others: ${lines.join(', ')}.`);
  }
  const read = new Set(Object.values(parseChoices(row)?.mapping ?? {}));
  const unread = columns.filter(({ index }) => !read.has(index));
  if (unread.length > 0) print(`Not read: ${unread.map(({ heading }) => `"${heading}"`).join(', ')}.`);
}

const printCounts = ({ create, update, unchanged, refused }: ImportPreview['counts']) =>
  print(
    `${formatCount(create)} new, ${formatCount(update)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(refused)} refused.`,
  );

async function printRefused({ read }: Database, row: ImportRecord, refused: number): Promise<void> {
  if (refused === 0) return;
  const { rows } = await listRows(read, row, { state: 'refused', order: 'line', limit: MOST_PRINTED });
  for (const { line, key, name, ...refusal } of rows) {
    const record = [key, name].filter((part) => part !== null).join(', ');
    print(
      `Line ${formatCount(line)}${record === '' ? '' : ` (${record})`}: ${refusalTexts(refusal).join(' ')}`,
    );
  }
  if (refused > rows.length) print(`And ${formatCount(refused - rows.length)} more.`);
}

async function writeFile(to: string, pieces: AsyncIterable<string>): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await pipeline(Readable.from(pieces), file.createWriteStream());
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

async function deleteUnlessApplied({ read, write }: Database, importId: number): Promise<void> {
  const row = await findImport(read, importId);
  if (row !== undefined && row.bulk_id === null) await deleteImport(write, importId);
}
