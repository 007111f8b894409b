#!/usr/bin/env node
import { main, setup } from './setup.mjs';

await main(setup);
await import('../dist/server/cli/sims.js');
