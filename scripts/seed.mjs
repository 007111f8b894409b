import { main, setup } from './setup.mjs';

await main(setup);
await import('../dist/server/cli/seed.js');
