import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { asJson, type Driver, type Engine, waitForOutput } from './driver.ts';

const STARTS_WITHIN_MS = 120_000;
const ANSWERS_WITHIN_MS = 120_000;
const RESIZES_WITHIN_MS = 60_000;
/** The key of references to elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export interface WebkitPrograms {
  driver: string;
  browser: string;
  display: string;
}

/** WebKitGTK on a display of its own, over WebDriver. */
export function webkit({ driver, browser, display }: WebkitPrograms): Engine {
  return {
    name: 'webkit',
    typesDates: false,
    start: async (guard, folder) => {
      const children: ChildProcess[] = [];
      const launch = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
        const child = guard.launch(program, args, { env: { ...process.env, ...env } });
        children.push(child);
        return child;
      };
      const end = async () => {
        for (const child of children.toReversed()) await guard.stop(child);
      };
      const config = path.join(folder, 'config');
      await mkdir(config, { recursive: true });
      await writeFile(path.join(config, 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
      try {
        const screen = launch(display, [
          '-displayfd',
          '1',
          '-screen',
          '0',
          '1600x1200x24',
          '-nolisten',
          'tcp',
        ]);
        const number = await waitForOutput(screen, /^(\d+)$/m, STARTS_WITHIN_MS);
        const port = await findFreePort();
        launch(driver, [`--port=${port}`], {
          DISPLAY: `:${number}`,
          HOME: folder,
          XDG_CACHE_HOME: path.join(folder, 'cache'),
          XDG_CONFIG_HOME: config,
          XDG_DATA_HOME: path.join(folder, 'data'),
          NO_AT_BRIDGE: '1',
          GTK_A11Y: 'none',
        });
        const webdriver = await WebDriver.open(`http://127.0.0.1:${port}`, {
          browserName: 'MiniBrowser',
          unhandledPromptBehavior: 'accept',
          'webkitgtk:browserOptions': {
            binary: browser,
            args: ['--automation', '--javascript-can-open-windows-automatically=true'],
          },
        });
        await openBareWindow(webdriver);
        return {
          version: webdriver.version,
          ...drive(webdriver),
          close: async () => {
            await webdriver.call('DELETE', '').catch(() => undefined);
            await end();
          },
        };
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** A session over WebDriver. */
class WebDriver {
  readonly #session: string;
  readonly version: string;

  private constructor(session: string, version: string) {
    this.#session = session;
    this.version = version;
  }

  static async open(base: string, alwaysMatch: object): Promise<WebDriver> {
    const end = Date.now() + STARTS_WITHIN_MS;
    while (
      !(await fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > end) throw new Error('WebKitWebDriver did not start in time.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { sessionId, capabilities } = await ask<{
      sessionId: string;
      capabilities: { browserVersion: string };
    }>('POST', `${base}/session`, { capabilities: { alwaysMatch } });
    return new WebDriver(`${base}/session/${sessionId}`, capabilities.browserVersion);
  }

  call<Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<Result> {
    return ask<Result>(method, `${this.#session}${path}`, body);
  }
}

async function ask<Result>(method: string, url: string, body: object): Promise<Result> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** A window without bars: the address bar can't be narrower than 447 pixels. */
async function openBareWindow(webdriver: WebDriver): Promise<void> {
  const script = "window.open('about:blank', '_blank', 'popup,width=1440,height=900')";
  const [first] = await webdriver.call<string[]>('GET', '/window/handles');
  await webdriver.call('POST', '/execute/sync', { script, args: [] });
  const handles = await webdriver.call<string[]>('GET', '/window/handles');
  const handle = handles.find((one) => one !== first);
  await webdriver.call('POST', '/window', { handle });
}

function drive(webdriver: WebDriver): Omit<Driver, 'close' | 'version'> {
  const evaluate = async (expression: string): Promise<unknown> => {
    const script = `const done = arguments[arguments.length - 1];
      ${asJson(`(() => (${expression}))()`)}.then((json) => done({ json }), (error) => done({ error: String(error) }));`;
    const { json, error } = await webdriver.call<{ json?: string; error?: string }>(
      'POST',
      '/execute/async',
      {
        script,
        args: [],
      },
    );
    if (json === undefined) throw new Error(error);
    return JSON.parse(json);
  };
  return {
    goto: (url) => webdriver.call('POST', '/url', { url }),
    reload: () => webdriver.call('POST', '/refresh'),
    back: () => webdriver.call('POST', '/back'),
    evaluate,
    perform: (source) => webdriver.call('POST', '/actions', { actions: [source] }),
    resize: async (width, height) => {
      // The window is larger than the page by its bars.
      const inner = (await evaluate('[innerWidth, innerHeight]')) as [number, number];
      if (inner[0] === width && inner[1] === height) return;
      await evaluate(`(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('@media (width: ${width}px) { :root { --reached: 1 } }');
        document.adoptedStyleSheets.push(sheet);
      })()`);
      const outer = await webdriver.call<{ width: number; height: number }>('GET', '/window/rect');
      await webdriver.call('POST', '/window/rect', {
        width: width + outer.width - inner[0],
        height: height + outer.height - inner[1],
      });
      const isReached = await evaluate(`new Promise((resolve) => {
        const end = Date.now() + ${RESIZES_WITHIN_MS};
        const sheets = document.adoptedStyleSheets;
        const readStyle = () => getComputedStyle(document.documentElement).getPropertyValue('--reached');
        const look = () => {
          // It reads all media queries again when a style sheet is removed; after a resize alone only sometimes.
          sheets.push(new CSSStyleSheet());
          readStyle();
          sheets.pop();
          const isReached = innerWidth === ${width} && innerHeight === ${height} && readStyle() !== '';
          if (!isReached && Date.now() < end) return setTimeout(look, 20);
          sheets.pop();
          readStyle();
          resolve(isReached);
        };
        look();
      })`);
      if (isReached !== true) throw new Error(`The page did not become ${width} × ${height} in time.`);
    },
    setFile: async (selector, file) => {
      const found = await webdriver.call<Record<string, string>>('POST', '/element', {
        using: 'css selector',
        value: selector,
      });
      await webdriver.call('POST', `/element/${found[ELEMENT]}/value`, { text: file });
    },
    screenshot: async () => Buffer.from(await webdriver.call<string>('GET', '/screenshot'), 'base64'),
  };
}
