import { execFileSync } from 'node:child_process';

/** Everything that has an address, by the last part of it. HAProxy and the applications are this machine's own. */
const ADDRESSES = { proxy: 1, node1: 11, node2: 12, node3: 13, application1: 21, application2: 22 };
const OWN = [ADDRESSES.proxy, ADDRESSES.application1, ADDRESSES.application2];

export type MachineName = 'node1' | 'node2' | 'node3';

/** The addresses that stand in deploy/patroni: nothing outside of this network namespace sees them. */
export const addressOf = (name: keyof typeof ADDRESSES) => `10.0.0.${ADDRESSES[name]}`;

const NOWHERE = '02:00:00:00:00:ff';
const hardwareAddress = (last: number) =>
  `02:00:00:00:00:${(OWN.includes(last) ? ADDRESSES.proxy : last).toString(16).padStart(2, '0')}`;

/** Who has which address, so that a machine need not ask, which is answered by "unreachable" in a cut network. */
export const NEIGHBOURS = Object.values(ADDRESSES)
  .map((last) => `10.0.0.${last}=${hardwareAddress(last)}`)
  .join(' ');

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8' });

/** Makes the switch that the machines are plugged into. */
export function makeSwitch(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'switch', 'address', hardwareAddress(ADDRESSES.proxy), 'type', 'bridge');
  for (const last of OWN) ip('address', 'add', `10.0.0.${last}/24`, 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
  for (const name of ['node1', 'node2', 'node3'] as const) {
    const { [name]: last } = ADDRESSES;
    ip(...neighbour(name, hardwareAddress(last), 'switch'));
  }
}

const neighbour = (name: MachineName, hardware: string, device: string) => [
  'neighbour',
  'replace',
  addressOf(name),
  'lladdr',
  hardware,
  'nud',
  'permanent',
  'dev',
  device,
];

/** The cable of a machine, whose network namespace is that of the process `pid`; gone when that is. */
export class Cable {
  readonly #end: string;
  readonly #pid: number;

  constructor(name: MachineName, pid: number, boot: number) {
    this.#end = `${name}-${boot}`;
    this.#pid = pid;
    const hardware = hardwareAddress(ADDRESSES[name]);
    ip(
      'link',
      'add',
      this.#end,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'address',
      hardware,
      'netns',
      `${pid}`,
    );
    ip('link', 'set', this.#end, 'master', 'switch', 'up');
  }

  /** What is sent from now on arrives nowhere and comes back from nowhere. */
  cut(): void {
    ip('link', 'set', this.#end, 'down');
  }

  mend(): void {
    ip('link', 'set', this.#end, 'up');
  }

  /** Only what this machine sends to that one is lost; the others, and whoever else, are reached. */
  cutTo(other: MachineName): void {
    this.#inside(neighbour(other, NOWHERE, 'eth0'));
  }

  mendTo(other: MachineName): void {
    this.#inside(neighbour(other, hardwareAddress(ADDRESSES[other]), 'eth0'));
  }

  #inside(args: string[]): void {
    execFileSync('nsenter', ['--target', `${this.#pid}`, '--net', 'ip', ...args]);
  }
}
