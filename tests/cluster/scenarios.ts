import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import { ifSo, until } from './waiting.ts';

export interface Scenario {
  title: string;
  /** Whether applications are ended in it: otherwise they must live through it. */
  endsApplications?: boolean;
  /** Does the damage, and resolves when what should take over has. Goes on afterwards with `repair`. */
  damage(installation: Installation): Promise<Repair | undefined>;
}

/** Brings back what was taken away. */
type Repair = () => Promise<void>;

/** Long enough for the damage to be done to requests of every kind. */
const A_WHILE = 3_000;

/** One after the other, while everybody goes on writing. */
export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'primary killed',
    damage: async (installation) => {
      const killed = await installation.primary();
      await killed.kill();
      await installation.primary(killed);
      return undefined;
    },
  },
  {
    title: 'killed machine comes back',
    damage: async ({ machines }) => {
      for (const machine of machines) if (!machine.isRunning) await machine.start();
      return undefined;
    },
  },
  {
    title: 'primary cut off from everybody',
    damage: async (installation) => {
      const cut = await installation.primary();
      cut.cable.cut();
      await installation.primary(cut);
      await until('the machine cut off refuses changes', () => ifSo(!cut.isWritable()));
      return async () => cut.cable.mend();
    },
  },
  {
    title: 'primary cut off from its standbys',
    damage: async (installation) => {
      const cut = await installation.primary();
      const others = installation.others(cut);
      for (const { name } of others) cut.cable.cutTo(name);
      await installation.primary(cut);
      await until('the machine cut off refuses changes', () => ifSo(!cut.isWritable()));
      return async () => {
        for (const { name } of others) cut.cable.mendTo(name);
      };
    },
  },
  {
    title: 'primary frozen',
    damage: async (installation) => {
      const frozen = await installation.primary();
      frozen.freeze();
      await installation.primary(frozen);
      return async () => frozen.thaw();
    },
  },
  {
    title: 'application killed',
    endsApplications: true,
    damage: async (installation) => {
      const [first] = installation.applications;
      await first.kill();
      await pause(A_WHILE);
      first.start();
      await installation.answers('application1');
      return undefined;
    },
  },
  {
    title: 'everything killed at once',
    endsApplications: true,
    damage: async (installation) => {
      const { machines, applications, proxy } = installation;
      const everything = [...machines, ...applications, proxy];
      await Promise.all(everything.map((one) => one.kill()));
      await Promise.all(everything.map((one) => one.start()));
      await installation.primary();
      return undefined;
    },
  },
];
