import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { browserNames, buildTargets } from './scripts/setup/stated-browsers.mjs';

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

/** Puts the browsers that the product is made for into the page. */
const nameBrowsers = (): Plugin => ({
  name: 'name-browsers',
  transformIndexHtml: (html) => html.replaceAll('%BROWSERS%', browserNames()),
});

type ModuleGraph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/** A module and everything that it imports, without what it loads later. */
function withStaticImports(graph: ModuleGraph, file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const id of found) for (const one of graph.getModuleInfo(id)?.importedIds ?? []) found.add(one);
  return found;
}

const inWeb = (file: string) => fileURLToPath(new URL(`src/web/${file}`, import.meta.url));

const SIGN_IN_PAGES = 'accounts/auth/sign-in-pages.ts';
/** The other pages without a sign-in. */
const PUBLIC_PAGES = ['accounts/auth/link-pages.ts', 'documents/verification/verify-page.tsx'];
/** Those of the public pages. The static imports of a page have all icons, since a single module exports them. */
const PUBLIC_ICONS = /icons\/(circle-exclamation-point|drafting-compass|eye|eye-off|moon|sun)\./;

/** Those whose pages share so much that others should not load it. */
const LARGE_FEATURES = new Set(['students', 'marksheets', 'documents', 'history', 'charts', 'insights']);

/**
 * The chunk of a module that several pages use: `sign-in` for what the login uses too, and `public` for what the other pages
 * without a sign-in use, so that these load nothing else; that of a large feature; else `staff`.
 */
const sharedChunk: Rolldown.CodeSplittingNameFunction = (id, graph) => {
  const isIcon = id.includes('/lucide-react/');
  const isOf = (page: string) => withStaticImports(graph, inWeb(page)).has(id);
  if (isIcon ? PUBLIC_ICONS.test(id) : isOf(SIGN_IN_PAGES)) return 'sign-in';
  if (!isIcon && PUBLIC_PAGES.some(isOf)) return 'public';
  const [, folder = ''] = /src\/web\/([\w-]+)\//.exec(id) ?? [];
  return LARGE_FEATURES.has(folder) ? folder : 'staff';
};

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss(), refuseCyclicChunks(), nameBrowsers()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The content security policy allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    target: buildTargets(),
    license: { fileName: 'licences.md' },
    // Browsers that do not know such links load the same modules a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Lets a page's chunk carry modules of other pages; nothing imports chunks by their exact exports.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // The name of a shared chunk would otherwise list every page that uses it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : name}-[hash].js`,
        codeSplitting: {
          groups: [
            // What is loaded first stays together.
            {
              name: 'first',
              tags: ['$initial'],
              priority: 1,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: sharedChunk, minShareCount: 2, includeDependenciesRecursively: false },
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
