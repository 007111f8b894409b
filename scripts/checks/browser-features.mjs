import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inProject } from '../setup/project.mjs';
import { statedBrowsers } from '../setup/stated-browsers.mjs';

/** What is newer than the oldest stated browsers and used all the same, with the reason that this does no harm. */
const HAVE_FALLBACK = {
  'property content-visibility': 'only saves drawing time; folded details are opened by unfoldForPrint',
  'property accent-color': 'boxes in the colour of the system',
  'property scrollbar-width': 'a scroll bar of the usual width',
  'property text-wrap': 'lines of unequal length',
  'property size': 'is that of @page, which most know: sheets are upright otherwise',
  'at-rule page': 'the margins of the browser',
  'selector details-content': 'unfoldForPrint opens the details',
  'property position-area': 'the menu is in the middle of the window',
  'property position-try-fallbacks': 'goes with position-area',
  'property view-transition-name': 'pages change without a transition',
  'selector view-transition-group': 'pages change without a transition',
  'selector view-transition-new': 'pages change without a transition',
  'selector view-transition-old': 'pages change without a transition',
  'selector active-view-transition-type': 'pages change without a transition',
  'attribute autocapitalize': 'only for keyboards on the screen, which know it',
  'method showSaveFilePicker': 'saveFile saves a blob otherwise',
  'method createWritable': 'goes with showSaveFilePicker',
};

/** Methods of our own or of libraries that newer APIs have, too. */
const OWN_METHODS = new Set(['run', 'where', 'canGoBack']);

const read = (file) => readFileSync(file, 'utf8');

/** Whether one of the statements of support is of this version or an earlier one. The build adds prefixes. */
const isSupported = (statements, version) =>
  [statements].flat().some((statement) => {
    if (typeof statement?.version_added !== 'string' || statement.flags || statement.version_removed)
      return false;
    return Number.parseFloat(statement.version_added.replace('≤', '')) <= version;
  });

/** `Firefox 140, Safari 17`: the stated browsers in which none of these features of one name is. */
function lacking(entries, browsers) {
  return browsers
    .filter(({ name, version }) => entries.every(({ support }) => !isSupported(support[name], version)))
    .map(({ title, version }) => `${title} ${version}`);
}

/** Features by kind and name. Methods and members have the name alone, since their object is not known. */
export function indexFeatures(data) {
  const found = new Map();
  const add = (kind, name, entry) => {
    if (entry?.__compat === undefined) return;
    const key = `${kind} ${name}`;
    found.set(key, [...(found.get(key) ?? []), entry.__compat]);
  };
  for (const [name, entry] of Object.entries(data.css.properties)) add('property', name, entry);
  for (const [name, entry] of Object.entries(data.css.selectors)) add('selector', name, entry);
  for (const [name, entry] of Object.entries(data.css['at-rules'])) add('at-rule', name, entry);
  for (const [object, members] of [
    ...Object.entries(data.api),
    ...Object.entries(data.javascript.builtins),
  ]) {
    add('object', object, members);
    for (const [name, entry] of Object.entries(members)) {
      if (name.endsWith('_static')) add('static', `${object}.${name.slice(0, -'_static'.length)}`, entry);
      else add('method', name, entry);
    }
  }
  for (const [name, entry] of Object.entries(data.html.global_attributes)) add('attribute', name, entry);
  for (const element of Object.values(data.html.elements)) {
    for (const [name, entry] of Object.entries(element)) add('attribute', name, entry);
  }
  return found;
}

const all = (text, pattern, kind) => [...text.matchAll(pattern)].map(([, name]) => `${kind} ${name}`);
const withoutComments = (text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

export function usedInCss(css) {
  const text = withoutComments(css);
  return [
    ...all(text, /[;{]\s*([a-z][\w-]*)\s*:[^:]/g, 'property'),
    ...all(text, /::?([a-z][a-z-]+)/g, 'selector'),
    ...all(text, /@([a-z][a-z-]+)/g, 'at-rule'),
  ];
}

export function usedInScript(script) {
  const text = withoutComments(script);
  return [
    ...all(text, /\bnew ([A-Z]\w+)\b/g, 'object'),
    ...all(text, /\b([A-Z]\w+\.[a-z]\w+)\b/g, 'static'),
    ...all(text, /(?<!\b[A-Z]\w*)\.([a-z]\w+)(?:\?\.)?\(/g, 'method').filter(
      (key) => !OWN_METHODS.has(key.slice('method '.length)),
    ),
    ...all(text, /\s([a-z][\w-]*)=(?:"|\{)/gi, 'attribute').map((one) => one.toLowerCase()),
  ];
}

/** The features of a file that a stated browser lacks: key and browsers. */
export function findNewer(used, features, browsers) {
  return [...new Set(used)].flatMap((key) => {
    const entries = features.get(key);
    const without = entries === undefined ? [] : lacking(entries, browsers);
    return without.length === 0 ? [] : [{ key, without }];
  });
}

/** CSS and browser APIs of the application that are newer than the stated browsers and have no fallback, a line each. */
export async function browserFeatureProblems() {
  const { default: data } = await import('@mdn/browser-compat-data/forLegacyNode');
  const features = indexFeatures(data);
  const browsers = statedBrowsers();
  const unused = new Set(Object.keys(HAVE_FALLBACK));
  const problems = [];
  for (const entry of readdirSync(inProject('src/web'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(css|tsx?|js)$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const used = entry.name.endsWith('.css') ? usedInCss(read(file)) : usedInScript(read(file));
    for (const { key, without } of findNewer(used, features, browsers)) {
      if (key in HAVE_FALLBACK) unused.delete(key);
      else problems.push(`${path.relative(inProject('.'), file)}: ${key} is not in ${without.join(', ')}`);
    }
  }
  return [
    ...problems,
    ...[...unused].map((key) => `${key} is in the list of scripts/checks/browser-features.mjs and not used`),
  ];
}
