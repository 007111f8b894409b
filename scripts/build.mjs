import { main, setup } from './setup.mjs';

await main(setup);
console.log('The build in dist/ is up to date.');
