import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { planService, type ServicePlan } from '../bundle/service-plan.ts';
import { BUNDLE_FOLDER } from '../program-files.ts';
import { readSettings } from '../settings/settings.ts';
import { getReason, SIMS_COMMAND, StartError } from '../start-error.ts';
import type { Command, Env } from './command.ts';
import { print } from './print.ts';

/** The plan for this computer. */
function planHere(env: Env): ServicePlan {
  if (BUNDLE_FOLDER === undefined) {
    throw new StartError(
      'Only the unpacked folder of SIMS installs itself as a service. For other ways see docs/operations/install.md.',
    );
  }
  if (process.getuid?.() === 0) {
    throw new StartError(
      'Run this as the user whose records they are, without sudo. For a server see docs/operations/install.md.',
    );
  }
  const { username } = userInfo();
  const service = {
    node: process.execPath,
    program: join(BUNDLE_FOLDER, 'app', 'dist', 'server', 'start-bundle.js'),
    dataDir: readSettings(env).dataDir,
    user: env.USERDOMAIN === undefined ? username : `${env.USERDOMAIN}\\${username}`,
  };
  return planService(process.platform, service, {
    home: homedir(),
    uid: process.getuid?.() ?? 0,
    temp: tmpdir(),
  });
}

function runSteps(steps: ServicePlan['install'], advice: string): void {
  for (const [command, ...args] of steps) {
    try {
      execFileSync(command, args, { stdio: 'pipe', windowsHide: true });
    } catch (error) {
      throw new StartError(`${[command, ...args].join(' ')} failed: ${getReason(error).trim()} ${advice}`);
    }
  }
}

const ADVICE =
  process.platform === 'win32'
    ? 'Open a terminal with "Run as administrator" and repeat the command there.'
    : '';

/** `sims install-service` */
export const installService: Command = {
  summary: 'Makes SIMS start with the computer, without a window',
  help: `Makes SIMS start with the computer, without a window, and start again when it failed. Only for the unpacked folder of SIMS. Stop SIMS
first. On Windows it needs a terminal of an administrator; on a Mac SIMS starts when its user signs in. After an update run it again
in the new folder.

  ${SIMS_COMMAND} install-service

Exit code 0, or 1 when refused or failed.`,
  run: async (args, env) => {
    parseArgs({ args });
    const plan = planHere(env);
    mkdirSync(dirname(plan.file), { recursive: true });
    writeFileSync(plan.file, plan.content);
    runSteps(plan.install, ADVICE);
    print(`SIMS runs as a service. ${plan.says}`);
    return 0;
  },
};

/** `sims remove-service` */
export const removeService: Command = {
  summary: 'Stops the service, and does not start it with the computer any more',
  help: `Takes back install-service. The records stay.

  ${SIMS_COMMAND} remove-service

Exit code 0, or 1 when refused or failed.`,
  run: async (args, env) => {
    parseArgs({ args });
    const plan = planHere(env);
    runSteps(plan.remove, ADVICE);
    rmSync(plan.file, { force: true });
    print('The service is removed. The records stay where they are.');
    return 0;
  },
};
