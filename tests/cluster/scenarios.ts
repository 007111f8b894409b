import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import { trueOrUndefined, waitFor } from './waiting.ts';

export interface Scenario {
  title: string;
  /** Whether the scenario kills applications. Otherwise a restart of one is a failure. */
  endsApplications?: boolean;
  /** Causes the failure and resolves after the failover. Returns the repair that ends the failure, if it needs one. */
  damage(installation: Installation): Promise<Repair | undefined>;
}

/** Ends the failure. */
type Repair = () => Promise<void>;

/** Long enough for requests of every kind to fail. */
const DOWNTIME_MS = 3_000;

/** Run in this order, while the writers are active. */
export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'primary killed',
    damage: async (installation) => {
      const killed = await installation.waitForPrimary();
      await killed.kill();
      await installation.waitForPrimary(killed);
      return undefined;
    },
  },
  {
    title: 'killed machine returns',
    damage: async ({ machines }) => {
      for (const machine of machines) if (!machine.isRunning) await machine.start();
      return undefined;
    },
  },
  {
    title: 'primary cut off from the whole network',
    damage: async (installation) => {
      const isolated = await installation.waitForPrimary();
      isolated.cable.cut();
      await installation.waitForPrimary(isolated);
      await waitFor('the isolated machine to refuse writes', () => trueOrUndefined(!isolated.isWritable()));
      return async () => isolated.cable.reconnect();
    },
  },
  {
    title: 'primary cut off from its standbys',
    damage: async (installation) => {
      const isolated = await installation.waitForPrimary();
      const others = installation.others(isolated);
      for (const { name } of others) isolated.cable.cutTo(name);
      await installation.waitForPrimary(isolated);
      await waitFor('the isolated machine to refuse writes', () => trueOrUndefined(!isolated.isWritable()));
      return async () => {
        for (const { name } of others) isolated.cable.reconnectTo(name);
      };
    },
  },
  {
    title: 'primary frozen',
    damage: async (installation) => {
      const frozen = await installation.waitForPrimary();
      frozen.freeze();
      await installation.waitForPrimary(frozen);
      return async () => frozen.thaw();
    },
  },
  {
    title: 'application killed',
    endsApplications: true,
    damage: async (installation) => {
      const [application] = installation.applications;
      await application.kill();
      await pause(DOWNTIME_MS);
      application.start();
      await installation.waitForApplication('application1');
      return undefined;
    },
  },
  {
    title: 'everything killed at the same time',
    endsApplications: true,
    damage: async (installation) => {
      const { machines, applications, proxy } = installation;
      const everything = [...machines, ...applications, proxy];
      await Promise.all(everything.map((one) => one.kill()));
      await Promise.all(everything.map((one) => one.start()));
      await installation.waitForPrimary();
      return undefined;
    },
  },
];
