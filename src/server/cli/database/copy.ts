import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { formatCount } from '../../../domain/format-count.ts';
import { formatLocation, parseLocation } from '../../db/location.ts';
import { checkDataFolder } from '../../settings/folder-access.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import { copyInstallation, type TableComparison } from '../../transfer/copy.ts';
import { type Command, explainInterruption } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Copies an installation between the embedded database (SQLite) and a PostgreSQL server, in either direction.

  ${SIMS_COMMAND} copy --from sqlite:./data --to postgres://user:password@host/database
  ${SIMS_COMMAND} copy --from postgres://user:password@host/database --to sqlite:./data

  --from <location>  The source. It is only read; no server may run on it.
  --to <location>    The target: an empty database without a server, or an unfinished copy.
  --restart          Empties an unfinished copy and starts again.
  --rows <number>    Rows per transaction (5000).

The copy can be interrupted at any time: the same command continues it. At the end every table is compared; until then no
server starts on the target. Sessions are not copied: everybody signs in again. A password that is left out is taken from
PGPASSWORD, which the list of processes does not show.

Exit code 0 when both are the same, 1 when refused, interrupted or different.`;

/** `sims copy` */
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
    const from = parseLocation('--from', values.from);
    const to = parseLocation('--to', values.to);
    for (const location of [from, to]) {
      if (location.kind === 'sqlite') for (const line of checkDataFolder(location.folder)) console.warn(line);
    }
    const start = performance.now();
    const compared = await copyInstallation({
      from,
      to,
      rows,
      restart: values.restart,
      onProgress: print,
      onCompared: (comparison) => print(formatComparison(comparison)),
    }).catch((error: unknown) => {
      throw explainInterruption(error, 'The copy', 'Run the same command again to continue.');
    });
    if (!compared.every(({ isSame }) => isSame)) {
      console.error(
        `The copy differs and stays unfinished. If a server was running on ${formatLocation(from)}, stop it and start again with --restart.`,
      );
      return 1;
    }
    const seconds = (performance.now() - start) / 1_000;
    const all = compared.reduce((sum, { there }) => sum + there.rows, 0);
    print(
      `Done in ${seconds.toFixed(1)} s: ${formatCount(all)} rows, the same in both. Everybody signs in again.`,
    );
    return 0;
  },
};

function formatComparison({ table, there, here, isSame }: TableComparison): string {
  const copied = isSame ? 'same' : `DIFFERS: ${formatCount(here.rows)} rows, ${shortChecksum(here)}`;
  return [table.padEnd(18), formatCount(there.rows).padStart(12), shortChecksum(there), copied].join('  ');
}

const shortChecksum = ({ checksum }: TableComparison['there']) => checksum.slice(0, 16);
