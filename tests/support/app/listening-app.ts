import { fileURLToPath } from 'node:url';
import { createMailer } from '../../../src/server/mail.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import type { Engine, TestDatabase } from '../database/engines.ts';
import { TestApp } from './test-app.ts';

const WEB_DIR = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/** The HTTP application in this process, which listens on a free port and serves the built web application. */
export class ListeningApp {
  readonly #engine: Engine;
  readonly #database: TestDatabase;
  readonly #env: Record<string, string>;
  #app: TestApp | undefined;
  #url = 'http://127.0.0.1:0';

  private constructor(engine: Engine, database: TestDatabase, env: Record<string, string>) {
    this.#engine = engine;
    this.#database = database;
    this.#env = { ...env, SIMS_DATA_DIR: database.folder };
  }

  /** @param env settings, as a process reads them from its environment */
  static async start(
    engine: Engine,
    database: TestDatabase,
    env: Record<string, string>,
  ): Promise<ListeningApp> {
    const listening = new ListeningApp(engine, database, env);
    await listening.restart();
    return listening;
  }

  get url(): string {
    return this.#url;
  }

  get dataDir(): string {
    return this.#database.folder;
  }

  /** Starts again with the same database and port: nothing is left of what it had in memory. */
  async restart(): Promise<void> {
    await this.dispose();
    const settings = readSettings(this.#env);
    const { publicUrl = new URL(this.#url), smtpUrl } = settings;
    this.#app = await TestApp.open(this.#engine, {
      database: this.#database,
      settings,
      mailer: smtpUrl && createMailer(smtpUrl, publicUrl),
      webDir: WEB_DIR,
      trustedProxies: settings.trustedProxies,
      https: publicUrl.protocol === 'https:',
      metricsToken: settings.metricsToken,
    });
    this.#url = await this.#app.app.listen({ host: '127.0.0.1', port: Number(new URL(this.#url).port) });
  }

  async dispose(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    const closed = app?.close();
    app?.app.server.closeAllConnections();
    await closed;
  }
}
