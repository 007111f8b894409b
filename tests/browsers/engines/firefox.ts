import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { Bidi } from './bidi.ts';
import { asJson, type Driver, type Engine, type InputSource, waitForOutput } from './driver.ts';

const STARTS_WITHIN_MS = 120_000;

/** No traffic of its own, no questions; downloads are saved without asking. */
const preferences = (downloads: string) => ({
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.download.alwaysOpenPanel': false,
  'browser.download.dir': downloads,
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'focusmanager.testmode': true,
  'dom.disable_open_during_load': false,
  'dom.min_background_timeout_value': 4,
  'dom.timeout.enable_budget_timer_throttling': false,
  'intl.locale.requested': 'en-US',
  'layout.throttled_frame_rate': 60,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // A saved PDF would be opened as well, and hide the page, whose timers are slow then.
  'pdfjs.disabled': true,
  'remote.log.truncate': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'signon.rememberSignons': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.prefersReducedMotion': 1,
});

/** Firefox, over WebDriver BiDi. */
export function firefox(program: string): Engine {
  return {
    name: 'firefox',
    typesDates: true,
    start: async (guard, folder) => {
      const profile = path.join(folder, 'profile');
      const downloads = path.join(folder, 'Downloads');
      await mkdir(profile, { recursive: true });
      await mkdir(downloads, { recursive: true });
      const lines = Object.entries(preferences(downloads)).map(
        ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
      );
      await writeFile(path.join(profile, 'user.js'), lines.join(''));
      const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
      const child = guard.launch(program, [...args, '--width', '1440', '--height', '900', 'about:blank'], {
        env: { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' },
      });
      try {
        const address = await waitForOutput(child, /WebDriver BiDi listening on (ws:\S+)/, STARTS_WITHIN_MS);
        const bidi = await Bidi.connect(`${address}/session`);
        const alwaysMatch = { unhandledPromptBehavior: { default: 'accept' } };
        const { capabilities } = await bidi.call<{ capabilities: { browserVersion: string } }>(
          'session.new',
          {
            capabilities: { alwaysMatch },
          },
        );
        // The first window never gets the focus. Closed, so that this one is not behind it, where its timers would be slow.
        const { contexts } = await bidi.call<{ contexts: { context: string }[] }>(
          'browsingContext.getTree',
          {},
        );
        const { context } = await bidi.call<{ context: string }>('browsingContext.create', {
          type: 'window',
        });
        for (const { context: first } of contexts)
          await bidi.call('browsingContext.close', { context: first });
        await bidi.call('browsingContext.activate', { context });
        return {
          version: capabilities.browserVersion,
          ...drive(bidi, context),
          close: async () => {
            bidi.close();
            await guard.stop(child);
          },
        };
      } catch (error) {
        await guard.stop(child);
        throw error;
      }
    },
  };
}

interface Evaluated {
  result?: { value?: string; sharedId?: string };
  exceptionDetails?: { text: string };
}

function drive(bidi: Bidi, context: string): Omit<Driver, 'close' | 'version'> {
  const evaluateRaw = async (expression: string) => {
    const { result, exceptionDetails } = await bidi.call<Evaluated>('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result;
  };
  return {
    goto: async (url) => {
      await bidi.call('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    reload: async () => {
      await bidi.call('browsingContext.reload', { context, wait: 'complete' });
    },
    back: async () => {
      await bidi.call('browsingContext.traverseHistory', { context, delta: -1 });
    },
    evaluate: async (expression) => JSON.parse((await evaluateRaw(asJson(expression)))?.value ?? 'null'),
    perform: async (source: InputSource) => {
      await bidi.call('input.performActions', { context, actions: [source] });
    },
    resize: async (width, height) => {
      await bidi.call('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    setFile: async (selector, file) => {
      const found = await evaluateRaw(`document.querySelector(${JSON.stringify(selector)})`);
      await bidi.call('input.setFiles', {
        context,
        element: { sharedId: found?.sharedId },
        files: [file],
      });
    },
    screenshot: async () => {
      const { data } = await bidi.call<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
  };
}
