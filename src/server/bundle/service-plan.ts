import { posix } from 'node:path';
import { launchAgent, type Service, scheduledTask, systemdUnit } from './service.ts';

/** What makes SIMS start with the computer, and what takes that back. */
export interface ServicePlan {
  /** A file that describes the service. */
  file: string;
  content: Uint8Array | string;
  /** Commands to run once the file is there. */
  install: readonly (readonly [command: string, ...args: string[]])[];
  /** Commands to run before the file is removed. */
  remove: readonly (readonly [command: string, ...args: string[]])[];
  /** When it starts, and where its state is seen. */
  says: string;
}

/** The name of the service everywhere. */
const NAME = 'sims';

/**
 * The plan for a platform, without rights of an administrator where it has such services.
 *
 * @param home the home of the user
 * @param uid the number of the user; on Windows of no meaning
 * @param temp a folder for a file that is needed once
 */
export function planService(
  platform: NodeJS.Platform,
  service: Service,
  { home, uid, temp }: { home: string; uid: number; temp: string },
): ServicePlan {
  if (platform === 'win32') {
    return {
      file: `${temp}\\sims-task.xml`,
      // The encoding that the task scheduler reads in every language of Windows.
      content: Buffer.from(`\uFEFF${scheduledTask(service)}`, 'utf16le'),
      install: [
        ['schtasks.exe', '/create', '/tn', NAME, '/xml', `${temp}\\sims-task.xml`, '/f'],
        ['schtasks.exe', '/run', '/tn', NAME],
      ],
      remove: [
        ['schtasks.exe', '/end', '/tn', NAME],
        ['schtasks.exe', '/delete', '/tn', NAME, '/f'],
      ],
      says: 'It starts with the computer. Its state: schtasks /query /tn sims',
    };
  }
  if (platform === 'darwin') {
    const file = posix.join(home, 'Library', 'LaunchAgents', `${NAME}.plist`);
    return {
      file,
      content: launchAgent(service),
      install: [['launchctl', 'bootstrap', `gui/${uid}`, file]],
      remove: [['launchctl', 'bootout', `gui/${uid}/${NAME}`]],
      says: `It starts when you sign in. Its state: launchctl print gui/${uid}/${NAME}`,
    };
  }
  return {
    file: posix.join(home, '.config', 'systemd', 'user', `${NAME}.service`),
    content: systemdUnit(service),
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', NAME],
      // Without it the services of a user begin when they sign in.
      ['loginctl', 'enable-linger'],
    ],
    remove: [['systemctl', '--user', 'disable', '--now', NAME]],
    says: 'It starts with the computer. Its state: systemctl --user status sims',
  };
}
