import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { canInstall, installPackages } from './debian.mjs';
import { SetupError } from './project.mjs';

/** Chromium without a window system: the same engine, and the tests are a fifth faster. */
const SHELL = 'chromium-headless-shell';

const { CHROMIUM_PATH, LOCALAPPDATA = '', PATH = '', ProgramFiles = '' } = process.env;

function usualPlaces() {
  if (process.platform === 'win32') {
    const folders = [ProgramFiles, process.env['ProgramFiles(x86)'] ?? '', LOCALAPPDATA];
    const programs = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe'];
    return folders.filter(Boolean).flatMap((folder) => programs.map((program) => path.join(folder, program)));
  }
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
    return ['/Applications', path.join(homedir(), 'Applications')].flatMap((folder) =>
      apps.map((app) => path.join(folder, app)),
    );
  }
  const folders = [
    ...PATH.split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/snap/bin',
    '/opt/google/chrome',
  ];
  const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
  return names.flatMap((name) => folders.filter(Boolean).map((folder) => path.join(folder, name)));
}

const installed = () => usualPlaces().find((place) => existsSync(place));

/** Finds Chrome or Chromium for the browser tests; installs it on Debian, as root, if there is none. */
export async function findBrowser() {
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new SetupError(`CHROMIUM_PATH names no file: ${CHROMIUM_PATH}`);
  }
  if (installed() === undefined && canInstall()) {
    console.log("No Chrome or Chromium found: installing Debian's for the browser tests (once) …");
    await installPackages(SHELL);
  }
  const browser = installed();
  if (browser !== undefined) return browser;
  throw new SetupError(
    'The browser tests need Chrome or Chromium: install one, or set CHROMIUM_PATH to its program file (npm test -- --unit runs the others).',
  );
}
