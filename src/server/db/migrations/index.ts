import type { Db } from '../schema.ts';
import * as initial from './001-initial.ts';

export interface Migration {
  name: string;
  up(db: Db): Promise<void>;
}

/** In order of application; the place in the list is the version. Only ever added to. */
export const MIGRATIONS: readonly Migration[] = [{ name: '001-initial', up: initial.up }];
