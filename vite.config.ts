import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const apiPort = process.env.SIMS_API_PORT ?? '3000';

/**
 * Fails the build when chunks import each other. One of them is evaluated before what it imports is defined, so a page that
 * makes an icon at its top level breaks, depending on which page was opened first.
 */
const refuseCyclicChunks = (): Plugin => ({
  name: 'refuse-cyclic-chunks',
  generateBundle(_, bundle) {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) this.error(`Chunks import each other: ${[...path, file].join(' > ')}`);
      if (done.has(file)) return;
      const chunk = bundle[file];
      for (const imported of chunk?.type === 'chunk' ? chunk.imports : []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
});

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss(), refuseCyclicChunks()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The content security policy allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Lets a page's chunk carry modules of other pages; nothing imports chunks by their exact exports.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // The name of a shared chunk would otherwise list every page that uses it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : name}-[hash].js`,
        codeSplitting: {
          // Modules and icons used by the same pages share a chunk; chunks below the threshold (bytes) are merged. A higher
          // threshold makes fewer chunks, but merges some that then import each other.
          // The first chunk has the empty state, which its error page shows, and what parses addresses: shared, they would
          // bring the dialogs and the list of students along.
          groups: [
            {
              // What the pages before the sign-in share with others: with other modules, it would bring these along.
              name: 'sign-in',
              test: /src\/web\/(accounts\/(waiting-for|password-errors)|ui\/(alert|fields\/(field|input-fields|password-field))|forms\/(use-draft-form|error-texts))\.|lucide-react\/dist\/esm\/icons\/(eye|eye-off|circle-exclamation-point|triangle-exclamation-point|drafting-compass)\./,
              priority: 1,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'shared',
              test: /src\/(web|domain|contract)\/(?!ui\/page\/empty-state|lib\/one-of)|lucide-react/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              entriesAware: true,
              entriesAwareMergeThreshold: 2200,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': `http://127.0.0.1:${apiPort}` },
  },
});
