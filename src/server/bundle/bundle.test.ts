import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { test as base, describe, expect, vi } from 'vitest';
import { nameCommand } from '../start-error.ts';
import { openDataFolder, possibleDataFolders } from './data-folder.ts';
import { browserCommand } from './open-browser.ts';
import type { Service } from './service.ts';
import { planService } from './service-plan.ts';
import { settingsFile, writeSettingsFile } from './settings-file.ts';

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-bundle-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

describe('the data folder of a bundle', () => {
  test('is where each system keeps the data of programs', () => {
    const windows = { ProgramData: 'D:\\ProgramData', LOCALAPPDATA: 'C:\\Users\\Sana\\AppData\\Local' };
    expect(possibleDataFolders(windows, 'win32', 'C:\\Users\\Sana')).toEqual([
      'D:\\ProgramData\\SIMS',
      'C:\\Users\\Sana\\AppData\\Local\\SIMS',
    ]);
    expect(possibleDataFolders({}, 'darwin', '/Users/sana')).toEqual([
      '/Users/sana/Library/Application Support/SIMS',
    ]);
    expect(possibleDataFolders({}, 'linux', '/home/sana')).toEqual(['/home/sana/.local/share/sims']);
    expect(possibleDataFolders({ XDG_DATA_HOME: '/data' }, 'linux', '/home/sana')).toEqual(['/data/sims']);
    // A relative one counts as none, as its specification says.
    expect(possibleDataFolders({ XDG_DATA_HOME: 'data' }, 'linux', '/home/sana')).toEqual([
      '/home/sana/.local/share/sims',
    ]);
  });

  test('is made once, in the first place that takes it, and protected there', ({ folder }) => {
    const places = [path.join(folder, 'file', 'SIMS'), path.join(folder, 'own', 'SIMS')];
    writeFileSync(path.join(folder, 'file'), '');
    const protect = vi.fn();
    expect(openDataFolder(places, protect)).toBe(places[1]);
    expect(openDataFolder(places, protect)).toBe(places[1]);
    expect(protect.mock.calls).toEqual([[places[1]]]);
    if (process.platform !== 'win32') expect(statSync(places[1] ?? '').mode & 0o777).toBe(0o700);
    expect(() => openDataFolder([places[0] ?? ''], protect)).toThrow(
      /^The data folder .* can't be created: ENOTDIR/,
    );
  });

  // Root may open every folder, and on Windows a mode forbids nothing.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'is never a second one beside that of somebody else',
    ({ folder }) => {
      const places = [path.join(folder, 'theirs'), path.join(folder, 'own')];
      mkdirSync(places[0] ?? '');
      chmodSync(places[0] ?? '', 0o000);
      expect(() => openDataFolder(places, () => {})).toThrow(
        /^The records of this computer are in .*theirs, which/,
      );
      expect(existsSync(places[1] ?? '')).toBe(false);
    },
  );

  test('has a file of settings, which a later start leaves alone', ({ folder }) => {
    writeSettingsFile(folder);
    const lines = readFileSync(settingsFile(folder), 'utf8').split(/\r?\n/);
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
    expect(lines).toContain('#HOST=0.0.0.0');
    writeFileSync(settingsFile(folder), 'PORT=4000\n');
    writeSettingsFile(folder);
    expect(readFileSync(settingsFile(folder), 'utf8')).toBe('PORT=4000\n');
  });
});

test('a command is named as it was started, so that it can be typed', () => {
  const linux = 'linux' as const;
  expect(nameCommand({ bundle: '/opt/sims-1.0.0-linux-x64/', platform: linux })).toBe(
    '/opt/sims-1.0.0-linux-x64/sims',
  );
  expect(nameCommand({ bundle: '/opt/Faculty Office', platform: linux })).toBe('"/opt/Faculty Office/sims"');
  expect(nameCommand({ bundle: 'C:\\Faculty Office', platform: 'win32' })).toBe('.\\sims.cmd');
  expect(nameCommand({ script: 'sims', platform: linux })).toBe('npm run sims --');
  // PowerShell takes the two hyphens away from `npm`, not from `npm.cmd`.
  expect(nameCommand({ script: 'sims', platform: 'win32' })).toBe('npm.cmd run sims --');
  expect(nameCommand({ script: 'test', platform: linux })).toBe('node dist/server/cli/sims.js');
});

test('the browser is opened by what each system has for it', () => {
  const url = 'http://127.0.0.1:3000';
  expect(browserCommand('win32', url)).toEqual(['rundll32.exe', ['url.dll,FileProtocolHandler', url]]);
  expect(browserCommand('darwin', url)).toEqual(['open', [url]]);
  expect(browserCommand('linux', url)).toEqual(['xdg-open', [url]]);
});

describe('the service', () => {
  const service: Service = {
    node: '/opt/50% "new"/node/bin/node',
    program: '/opt/50% "new"/app/dist/server/start-bundle.js',
    dataDir: '/home/sana/R&D <records>',
    user: 'FACULTY\\sana',
  };
  const where = { home: '/home/sana', uid: 1000, temp: 'C:\\Temp' };

  test('of Linux is a unit of its user, whose paths are quoted', () => {
    const { file, content, install } = planService('linux', service, where);
    expect(file).toBe('/home/sana/.config/systemd/user/sims.service');
    expect(content).toContain(
      'ExecStart="/opt/50%% \\"new\\"/node/bin/node" "/opt/50%% \\"new\\"/app/dist/server/start-bundle.js" "--no-browser" "--data-dir" "/home/sana/R&D <records>"\n',
    );
    expect(install.map((step) => step.join(' '))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now sims',
      'loginctl enable-linger',
    ]);
  });

  test('of macOS is a launch agent', () => {
    const { file, content, install } = planService('darwin', service, where);
    expect(file).toBe('/home/sana/Library/LaunchAgents/sims.plist');
    expect(content).toContain('<string>/home/sana/R&amp;D &lt;records&gt;</string>');
    expect(install).toEqual([['launchctl', 'bootstrap', 'gui/1000', file]]);
  });

  test('of Windows is a task without a limit of time, as its user, in the encoding of the task scheduler', () => {
    const { file, content, install } = planService('win32', service, where);
    expect(file).toBe('C:\\Temp\\sims-task.xml');
    const text = Buffer.from(content).toString('utf16le');
    expect(text.startsWith('\uFEFF<?xml version="1.0" encoding="UTF-16"?>')).toBe(true);
    expect(text).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
    expect(text).toContain('<UserId>FACULTY\\sana</UserId>');
    expect(text).toContain('&quot;--data-dir&quot; &quot;/home/sana/R&amp;D &lt;records&gt;&quot;');
    expect(install[0]).toEqual(['schtasks.exe', '/create', '/tn', 'sims', '/xml', file, '/f']);
  });
});
