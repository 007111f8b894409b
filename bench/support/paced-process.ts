/** Times paced calls in a process of its own, which doesn't wait for what its parent does: readers beside the saves of the benchmark. */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { timePaced } from './paced.ts';

const run = z.object({
  origin: z.string(),
  paths: z.array(z.string()),
  options: z.object({ users: z.number(), seconds: z.number(), aSecond: z.number(), token: z.string() }),
});

const { origin, paths, options } = run.parse(JSON.parse(await text(process.stdin)));
// Its own code is compiled first.
await timePaced(origin, paths, { ...options, seconds: 1 });
console.log(JSON.stringify(await timePaced(origin, paths, options)));
