/** The preview of a large file, in an installation that imported a small one before its last start, and in one that did not. */
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { inventFaculty } from '../../src/server/seed/invent-faculty.ts';
import { registerUser } from '../../tests/support/api.ts';
import { toCsv } from '../../tests/support/app/import-file.ts';
import { PostgresServer, postgresPrograms } from '../../tests/support/database/postgres.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { Imports, studentRows } from '../support/imports.ts';

const ENGINES = (process.env.SIMS_BENCH_ENGINES ?? 'sqlite,postgres').split(',');
const ROWS = Number(process.env.SIMS_BENCH_STUDENTS || 50_000);
const SMALL_ROWS = 10;
/** The two installations take turns, this often each. */
const TURNS = 3;
const MOST = 1.1;

const rows = studentRows(inventFaculty({ students: ROWS, seed: 1, intakes: 8 }));
const file = toCsv(rows);
const small = toCsv(
  rows
    .slice(0, SMALL_ROWS)
    .map((row, i) => ({ ...row, id: `SMALL-${i}`, phone_number: `0300-${5_550_100 + i}` })),
);

/** Milliseconds of upload and preview in a new installation. */
async function measure(isPostgres: boolean, hasSmall: boolean): Promise<number[]> {
  const postgres = isPostgres ? await PostgresServer.start() : undefined;
  const server = await Server.start({
    LOG_LEVEL: 'warn',
    ...(postgres !== undefined && { DATABASE_URL: postgres.url() }),
  });
  try {
    const { token } = await registerUser(server.url);
    const imports = new Imports(server.url, token);
    if (hasSmall) await imports.import('students', small);
    await server.restart();
    const begun = performance.now();
    const url = await imports.upload('students', file);
    const sent = performance.now();
    await imports.preview(url);
    return [sent - begun, performance.now() - sent];
  } finally {
    await server.dispose();
    await postgres?.dispose();
  }
}

for (const engine of ENGINES) {
  const isPostgres = engine === 'postgres';
  if (isPostgres && postgresPrograms() === undefined) {
    console.log('There is no PostgreSQL on this machine.');
    continue;
  }
  console.log(
    `${isPostgres ? 'PostgreSQL' : 'SQLite'}, ${rows.length.toLocaleString('en')} rows, load of the machine before ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  const times = { without: [] as number[], after: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const name of ['without', 'after'] as const) {
      const [upload = 0, preview = 0] = await measure(isPostgres, name === 'after');
      times[name].push(preview);
      console.log(
        `  ${name} a small import: upload ${upload.toFixed(0)} ms, preview ${preview.toFixed(0)} ms`,
      );
    }
  }
  const [without, after] = [quantile(times.without, 0.5), quantile(times.after, 0.5)];
  const ratio = after / without;
  console.log(
    `Preview after a small import and a restart: ${after.toFixed(0)} ms, without ${without.toFixed(0)} ms (medians), ratio ${ratio.toFixed(2)} (limit ${MOST}, ${ratio <= MOST ? 'ok' : 'OVER'})`,
  );
}
