import { execFileSync } from 'node:child_process';

/** The last byte of each address. HAProxy and the applications run in the network namespace of this process. */
const ADDRESSES = { proxy: 1, node1: 11, node2: 12, node3: 13, application1: 21, application2: 22 };
const LOCAL = [ADDRESSES.proxy, ADDRESSES.application1, ADDRESSES.application2];

export type MachineName = 'node1' | 'node2' | 'node3';

/** The addresses used in deploy/patroni. They are visible only inside this network namespace. */
export const getAddress = (name: keyof typeof ADDRESSES) => `10.0.0.${ADDRESSES[name]}`;

const UNUSED_HARDWARE_ADDRESS = '02:00:00:00:00:ff';
const getHardwareAddress = (lastByte: number) =>
  `02:00:00:00:00:${(LOCAL.includes(lastByte) ? ADDRESSES.proxy : lastByte).toString(16).padStart(2, '0')}`;

/** All hardware addresses: a machine that used ARP in a cut network would get "unreachable" instead of no reply. */
export const NEIGHBOURS = Object.values(ADDRESSES)
  .map((lastByte) => `10.0.0.${lastByte}=${getHardwareAddress(lastByte)}`)
  .join(' ');

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8' });

/** Creates the switch (a bridge) to which the machines are connected. */
export function createSwitch(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'switch', 'address', getHardwareAddress(ADDRESSES.proxy), 'type', 'bridge');
  for (const lastByte of LOCAL) ip('address', 'add', `10.0.0.${lastByte}/24`, 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
  for (const name of ['node1', 'node2', 'node3'] as const) {
    const { [name]: lastByte } = ADDRESSES;
    ip(...neighbourCommand(name, getHardwareAddress(lastByte), 'switch'));
  }
}

const neighbourCommand = (name: MachineName, hardware: string, device: string) => [
  'neighbour',
  'replace',
  getAddress(name),
  'lladdr',
  hardware,
  'nud',
  'permanent',
  'dev',
  device,
];

/** Connects the switch to the network namespace of the process `pid`. Disappears with that process. */
export class Cable {
  readonly #end: string;
  readonly #pid: number;

  constructor(name: MachineName, pid: number, boot: number) {
    this.#end = `${name}-${boot}`;
    this.#pid = pid;
    const hardware = getHardwareAddress(ADDRESSES[name]);
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

  /** Drops all packets in both directions. */
  cut(): void {
    ip('link', 'set', this.#end, 'down');
  }

  reconnect(): void {
    ip('link', 'set', this.#end, 'up');
  }

  /** Drops only packets from this machine to `other`; all other packets pass. */
  cutTo(other: MachineName): void {
    this.#runInside(neighbourCommand(other, UNUSED_HARDWARE_ADDRESS, 'eth0'));
  }

  reconnectTo(other: MachineName): void {
    this.#runInside(neighbourCommand(other, getHardwareAddress(ADDRESSES[other]), 'eth0'));
  }

  #runInside(args: string[]): void {
    execFileSync('nsenter', ['--target', `${this.#pid}`, '--net', 'ip', ...args]);
  }
}
