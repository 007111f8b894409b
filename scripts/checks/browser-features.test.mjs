import { describe, expect, test } from 'vitest';
import { findNewer, indexFeatures, usedInCss, usedInScript } from './browser-features.mjs';

const since = (safari) => ({ __compat: { support: { safari } } });
const features = indexFeatures({
  css: {
    properties: {
      color: since({ version_added: '1' }),
      'position-area': since({ version_added: '26' }),
      'user-select': since({ version_added: '3', prefix: '-webkit-' }),
    },
    selectors: { hover: since({ version_added: '2' }), 'details-content': since({ version_added: '18.4' }) },
    'at-rules': { page: since([{ version_added: '18.2' }]) },
  },
  api: {
    AbortSignal: { ...since({ version_added: '12' }), any_static: since({ version_added: '17.4' }) },
    Window: { showSaveFilePicker: since({ version_added: false }), alert: since({ version_added: '1' }) },
    Navigation: { ...since({ version_added: '26' }), alert: since({ version_added: '26' }) },
  },
  javascript: { builtins: {} },
  html: { global_attributes: {}, elements: { dialog: { closedby: since({ version_added: false }) } } },
});
const newer = (used) =>
  findNewer(used, features, [{ name: 'safari', title: 'Safari', version: 17 }]).map(({ key }) => key);

describe('the check of browser features', () => {
  test('names CSS that a stated browser lacks, but no comments and nothing that it has with a prefix', () => {
    const css = 'a:hover { color: red; user-select: none; /* position-try: x; */ position-area: center; }';
    expect(newer(usedInCss(css))).toEqual(['property position-area']);
    expect(newer(usedInCss('@page { margin: 0 } details::details-content { color: red }'))).toEqual([
      'selector details-content',
      'at-rule page',
    ]);
  });

  test('names APIs and attributes; a method that some object has had for long may be that one', () => {
    expect(newer(usedInScript('AbortSignal.any([a]); window.alert(); new Navigation();'))).toEqual([
      'object Navigation',
      'static AbortSignal.any',
    ]);
    expect(newer(usedInScript('window.showSaveFilePicker({}); <dialog closedby="any">'))).toEqual([
      'method showSaveFilePicker',
      'attribute closedby',
    ]);
  });
});
