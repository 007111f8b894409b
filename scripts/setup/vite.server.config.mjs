import { readdirSync } from 'node:fs';
import { defineConfig } from 'vite';
import { inProject } from './project.mjs';

/**
 * Programs, modules that run in a worker of their own, and the module that refers to their files: they have the same place in
 * the build.
 */
const ENTRIES = [
  'main.ts',
  'cli/sims.ts',
  'cli/seed.ts',
  'start-bundle.ts',
  'sims-bundle.ts',
  'program-files.ts',
  ...readdirSync(inProject('src/server'), { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts') && !file.endsWith('-in-worker.ts')),
];

/** They load native code from their own folder. */
export const NATIVE_PACKAGES = ['@node-rs/argon2', '@photostructure/sqlite', 'sharp'];

/** One file with all packages starts in half the CPU time of a thousand. */
export default defineConfig({
  root: inProject('src/server'),
  ssr: {
    noExternal: true,
    // `pg` works without the last one, which isn't installed.
    external: [...NATIVE_PACKAGES, 'pg-native'],
  },
  build: {
    ssr: true,
    target: 'node20.19',
    copyPublicDir: false,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      input: Object.fromEntries(
        ENTRIES.map((file) => [file.slice(0, -'.ts'.length), inProject('src/server', file)]),
      ),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // The engine keeps the text of a program: twice as large with a single character above U+00FF.
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});
