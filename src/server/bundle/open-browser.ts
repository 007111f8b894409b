import { spawn } from 'node:child_process';
import process from 'node:process';

/** The program that opens an address in the browser of the user, and its arguments. */
export function browserCommand(platform: NodeJS.Platform, url: string): [string, string[]] {
  if (platform === 'win32') return ['rundll32.exe', ['url.dll,FileProtocolHandler', url]];
  return [platform === 'darwin' ? 'open' : 'xdg-open', [url]];
}

/** Opens an address in the browser, if there is one: it is printed anyway. */
export function openBrowser(url: string): void {
  const [command, args] = browserCommand(process.platform, url);
  spawn(command, args, { stdio: 'ignore', detached: true, windowsHide: true })
    .on('error', () => {})
    .unref();
}
