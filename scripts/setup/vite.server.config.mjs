import { readdirSync } from 'node:fs';
import { defineConfig } from 'vite';
import { inProject } from './project.mjs';

/** Programs, and modules that run in a worker of their own: their files have the same place in the build. */
const ENTRIES = [
  'main.ts',
  'cli/sims.ts',
  'cli/seed.ts',
  ...readdirSync(inProject('src/server'), { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts')),
];

/** One file with all packages starts in half the CPU time of a thousand. */
export default defineConfig({
  root: inProject('src/server'),
  ssr: {
    noExternal: true,
    // They load native code from their own folder; `pg` works without the last one, which isn't installed.
    external: ['@node-rs/argon2', '@photostructure/sqlite', 'sharp', 'pg-native'],
  },
  build: {
    ssr: true,
    target: 'node20.19',
    copyPublicDir: false,
    rolldownOptions: {
      input: Object.fromEntries(
        ENTRIES.map((file) => [file.slice(0, -'.ts'.length), inProject('src/server', file)]),
      ),
      // Beside `main`: modules in them that refer to files by a relative path are in that folder too.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
