import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Engine } from './driver.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

const findProgram = (...places: readonly string[]) => places.find((place) => existsSync(place));

/** The engines that are installed. */
export function findEngines(): Engine[] {
  const engines: Engine[] = [];
  const program = process.env.FIREFOX_PATH ?? findProgram('/usr/bin/firefox-esr', '/usr/bin/firefox');
  if (program !== undefined) engines.push(firefox(program));
  const driver = findProgram('/usr/bin/WebKitWebDriver');
  const display = findProgram('/usr/bin/Xvfb');
  const browser = findProgram(
    ...['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  );
  if (driver !== undefined && display !== undefined && browser !== undefined) {
    engines.push(webkit({ driver, display, browser }));
  }
  return engines;
}
