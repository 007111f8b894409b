import { describe, expect, test } from 'vitest';
import { findProblems, importOrderProblems } from './import-order.mjs';

const imported = (from, to) => findProblems([{ from, to }]);

describe('the folders of the sources', () => {
  test('import only what is below them', () => {
    expect(importOrderProblems()).toEqual([]);
  });

  test('may not import one above, the files that join them, or anything before they have a place in the order', () => {
    expect(imported('src/server/students/list/sort.ts', 'src/server/db/schema.ts')).toEqual([]);
    expect(imported('src/server/db/schema.ts', 'src/server/students/list/sort.ts')).toEqual([
      'src/server/db/schema.ts: db may not import students',
    ]);
    expect(imported('src/web/home/home-page.tsx', 'src/web/router.tsx')).toEqual([
      'src/web/home/home-page.tsx: home may not import router.tsx',
    ]);
    expect(imported('src/server/fees/routes.ts', 'src/server/errors.ts')).toEqual([
      'src/server/fees/routes.ts: fees has no place in the order of folders',
    ]);
  });

  test('next to each other import each other neither directly nor through a third one', () => {
    const chain = [
      { from: 'src/server/students/bulk/apply.ts', to: 'src/server/students/list/filter.ts' },
      { from: 'src/server/students/list/filter.ts', to: 'src/server/students/derived/reindex.ts' },
    ];
    expect(findProblems(chain)).toEqual([]);
    const back = { from: 'src/server/students/derived/reindex.ts', to: 'src/server/students/bulk/apply.ts' };
    expect(findProblems([...chain, back])).toEqual([
      'src/server/students: bulk, list, derived import each other',
    ]);
  });
});
