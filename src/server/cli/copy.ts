import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Comparison, copyInstallation } from '../db/copy/copy-installation.ts';
import { labelOf, readPlace } from '../db/copy/place.ts';
import { StartError } from '../start-error.ts';
import { brokenOff } from './broken-off.ts';
import type { Command } from './commands.ts';

const HELP = `Copies a whole installation to another database: embedded (SQLite) or on a PostgreSQL server, in either direction.

  npm run sims -- copy --from sqlite:./data --to postgres://user:password@host/database
  npm run sims -- copy --from postgres://user:password@host/database --to sqlite:./data

  --from <place>   What is copied; it is only read. No server may run on it.
  --to <place>     Where it goes: an empty database without a server, or a copy that was broken off.
  --restart        Empties a copy that was broken off and begins it anew.
  --rows <number>  Rows copied at once (5000).

It can be broken off at any time: the same command goes on from there. At the end every table of both is compared; until
then no server starts on the copy. Sessions are not copied: everybody signs in again. A password that is left out is taken from
PGPASSWORD, which the list of running programs does not show.

Ends with 0 when both are the same, with 1 when it was refused, broken off or came out different.`;

/** Moving house. */
export const copy: Command = {
  summary: 'Copies an installation between the embedded database and PostgreSQL',
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({
      args,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        restart: { type: 'boolean', default: false },
        rows: { type: 'string', default: '5000' },
      },
    });
    const rows = Number(values.rows);
    if (!Number.isSafeInteger(rows) || rows < 1)
      throw new StartError('--rows must be a whole number from 1.');
    const from = readPlace('--from', values.from);
    const to = readPlace('--to', values.to);
    const start = performance.now();
    const compared = await copyInstallation({
      from,
      to,
      rows,
      restart: values.restart,
      tell: console.log,
      onCompared: (comparison) => console.log(lineOf(comparison)),
    }).catch((error: unknown) => {
      throw brokenOff(error, 'The copy', 'The same command goes on from there.');
    });
    if (!compared.every(({ isSame }) => isSame)) {
      console.error(
        `The copy differs and stays unfinished. If a server was running on ${labelOf(from)}, stop it and begin anew with --restart.`,
      );
      return 1;
    }
    const seconds = (performance.now() - start) / 1_000;
    const all = compared.reduce((sum, { there }) => sum + there.rows, 0);
    console.log(
      `Done in ${seconds.toFixed(1)} s: ${format(all)} rows, the same in both. Everybody signs in again.`,
    );
    return 0;
  },
};

function lineOf({ table, there, here, isSame }: Comparison): string {
  const copied = isSame ? 'same' : `DIFFERS: ${format(here.rows)} rows, ${sumOf(here)}`;
  return [table.padEnd(18), format(there.rows).padStart(12), sumOf(there), copied].join('  ');
}

const sumOf = ({ checksum }: Comparison['there']) => checksum.slice(0, 16);
const format = (n: number) => n.toLocaleString('en');
