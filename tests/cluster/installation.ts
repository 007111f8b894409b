import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Machine } from './machine.ts';
import { addressOf, makeSwitch } from './network.ts';
import { Service } from './service.ts';
import { ifSo, until } from './waiting.ts';

const inProject = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Three database machines, two applications and the proxy before both, as docs/operations.md describes them. */
export class Installation {
  /** Where staff reach it. */
  readonly url = `http://${addressOf('proxy')}:8080`;
  readonly databaseUrl: string;
  readonly machines: readonly [Machine, Machine, Machine];
  readonly applications: readonly [Service, Service];
  readonly proxy: Service;

  constructor(folder: string) {
    const password = randomBytes(12).toString('hex');
    this.databaseUrl = `postgres://sims:${password}@${addressOf('proxy')}:5432/sims`;
    makeSwitch();
    this.machines = [
      new Machine('node1', folder),
      new Machine('node2', folder),
      new Machine('node3', folder),
    ];
    this.proxy = new Service(path.join(folder, 'haproxy.log'), [
      'haproxy',
      '-db',
      '-f',
      inProject('deploy/patroni/haproxy.cfg'),
    ]);
    const application = (name: 'application1' | 'application2') =>
      new Service(path.join(folder, `${name}.log`), [process.execPath, inProject('dist/server/main.js')], {
        NODE_ENV: 'production',
        HOST: addressOf(name),
        PORT: '3000',
        DATABASE_URL: this.databaseUrl,
        SIMS_REGISTRATION: 'open',
        SIMS_TRUST_PROXY: addressOf('proxy'),
      });
    this.applications = [application('application1'), application('application2')];
  }

  /** From nothing to a product that answers. */
  async setUp(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.start()));
    this.proxy.start();
    const primary = await this.whole();
    const { username, password } = new URL(this.databaseUrl);
    primary.sql(
      'postgres',
      `create role ${username} login password '${password}'`,
      `create database sims owner ${username} encoding 'UTF8' template template0`,
    );
    for (const application of this.applications) application.start();
    await this.answers('application1');
    await this.answers('application2');
    await until('the proxy finds an application', async () =>
      ifSo(await isHealthy(`${this.url}/api/health`)),
    );
  }

  async answers(name: 'application1' | 'application2'): Promise<void> {
    const url = `http://${addressOf(name)}:3000/api/health`;
    await until(`${name} answers`, async () => ifSo(await isHealthy(url)));
  }

  /** The machine that takes changes, as soon as there is one other than `before`. */
  primary(before?: Machine): Promise<Machine> {
    return until('there is a primary', async () => {
      for (const machine of this.machines.filter((one) => one !== before)) {
        const status = await machine.status();
        if (status?.role === 'master' && status.state === 'running') return machine;
      }
      return undefined;
    });
  }

  /**
   * One machine takes changes and sends them to all others that run, one of which must have each before it counts, and which may take
   * over: Patroni writes that down a moment after PostgreSQL waits for it.
   */
  async whole(): Promise<Machine> {
    const running = this.machines.filter((machine) => machine.isRunning);
    return until('all machines work together', async () => {
      for (const machine of running) {
        const { role, replication = [] } = (await machine.status()) ?? {};
        const isSent = replication.filter(({ state }) => state === 'streaming').length === running.length - 1;
        if (role !== 'master' || !isSent) continue;
        const heirs = await machine.heirs();
        if (
          replication.some(
            ({ application_name: name, sync_state: sync }) => sync === 'sync' && heirs.includes(name),
          )
        ) {
          return machine;
        }
      }
      return undefined;
    });
  }

  /** The others of a machine. */
  others(machine: Machine): Machine[] {
    return this.machines.filter((one) => one !== machine);
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
