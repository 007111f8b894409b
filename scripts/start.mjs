import { main, setup } from './setup.mjs';

await main(setup);
// In this very process, so that signals reach the server itself.
await import('../dist/server/main.js');
