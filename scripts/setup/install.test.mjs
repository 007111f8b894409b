import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { inProject, readText } from './project.mjs';

/** What a script and the scripts that it imports need from outside the project before their first line runs. */
function importsFromOutside(script, seen = new Set()) {
  if (seen.has(script)) return [];
  seen.add(script);
  const { staticImports, staticExports } = parseSync(script, readText(script)).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  return names.flatMap((name) =>
    name.startsWith('.') ? importsFromOutside(path.resolve(path.dirname(script), name), seen) : [name],
  );
}

const scripts = readdirSync(inProject('scripts')).filter((file) => file.endsWith('.mjs'));

test.each(scripts)('%s starts in a clone that has no packages yet', (script) => {
  const imported = importsFromOutside(inProject('scripts', script));
  expect(imported).toContain('node:path');
  expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
