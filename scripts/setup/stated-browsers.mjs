import { readFileSync } from 'node:fs';
import { inProject } from './project.mjs';

const NAMES = { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox', safari: 'Safari' };

/** The oldest version of each browser that the product is made for: `browserslist` in package.json, the only place that states it. */
export function statedBrowsers() {
  const { browserslist } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  return browserslist.map((line) => {
    const [, name, version] = /^(\w+) >= ([\d.]+)$/.exec(line) ?? [];
    if (NAMES[name] === undefined) throw new Error(`"${line}" in browserslist is not understood.`);
    return { name, title: NAMES[name], version: Number(version) };
  });
}

/** As the build takes them: `chrome131`. */
export const buildTargets = () => statedBrowsers().map(({ name, version }) => `${name}${version}`);

/** `Chrome 131, Edge 131, Firefox 140 or Safari 17` */
export function browserNames() {
  const names = statedBrowsers().map(({ title, version }) => `${title} ${version}`);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
