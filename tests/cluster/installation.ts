import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Machine } from './machine.ts';
import { createSwitch, getAddress } from './network.ts';
import { Service } from './service.ts';
import { trueOrUndefined, waitFor } from './waiting.ts';

const inProject = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Three database machines, two applications and the proxy in front of both, as described in docs/operations/high-availability.md. */
export class Installation {
  /** The address that users open. */
  readonly url = `http://${getAddress('proxy')}:8080`;
  readonly databaseUrl: string;
  readonly machines: readonly [Machine, Machine, Machine];
  readonly applications: readonly [Service, Service];
  readonly proxy: Service;

  constructor(folder: string) {
    const password = randomBytes(12).toString('hex');
    this.databaseUrl = `postgres://sims:${password}@${getAddress('proxy')}:5432/sims`;
    createSwitch();
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
        HOST: getAddress(name),
        PORT: '3000',
        DATABASE_URL: this.databaseUrl,
        SIMS_REGISTRATION: 'open',
        SIMS_TRUST_PROXY: getAddress('proxy'),
      });
    this.applications = [application('application1'), application('application2')];
  }

  /** Starts everything, creates the database and resolves when the product answers through the proxy. */
  async setUp(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.start()));
    this.proxy.start();
    const primary = await this.waitForReplication();
    const { username, password } = new URL(this.databaseUrl);
    primary.sql(
      'postgres',
      `create role ${username} login password '${password}'`,
      `create database sims owner ${username} encoding 'UTF8' template template0`,
    );
    for (const application of this.applications) application.start();
    await this.waitForApplication('application1');
    await this.waitForApplication('application2');
    await waitFor('the proxy to find an application', async () =>
      trueOrUndefined(await isHealthy(`${this.url}/api/health`)),
    );
  }

  async waitForApplication(name: 'application1' | 'application2'): Promise<void> {
    const url = `http://${getAddress(name)}:3000/api/health`;
    await waitFor(`${name} to answer`, async () => trueOrUndefined(await isHealthy(url)));
  }

  /** Waits for a primary other than `before`. */
  waitForPrimary(before?: Machine): Promise<Machine> {
    return waitFor('a primary', async () => {
      for (const machine of this.machines.filter((one) => one !== before)) {
        const status = await machine.status();
        if (status?.role === 'master' && status.state === 'running') return machine;
      }
      return undefined;
    });
  }

  /**
   * Waits until the primary replicates to all other running machines, synchronously to at least one that Patroni lets take over.
   * Patroni records that standby a moment after PostgreSQL starts to wait for it.
   *
   * @returns the primary
   */
  async waitForReplication(): Promise<Machine> {
    const running = this.machines.filter((machine) => machine.isRunning);
    return waitFor('all machines to replicate', async () => {
      for (const machine of running) {
        const { role, replication = [] } = (await machine.status()) ?? {};
        const replicatesToAll =
          replication.filter(({ state }) => state === 'streaming').length === running.length - 1;
        if (role !== 'master' || !replicatesToAll) continue;
        const candidates = await machine.syncStandbys();
        if (
          replication.some(
            ({ application_name: name, sync_state: sync }) => sync === 'sync' && candidates.includes(name),
          )
        ) {
          return machine;
        }
      }
      return undefined;
    });
  }

  /** All machines but this one. */
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
