import { expect, test } from 'vitest';
import { writtenOnceProblems } from './written-once.mjs';

test('calls, tables, tasks and checks of roles are written in one way', () => {
  expect(writtenOnceProblems()).toEqual([]);
});

test.each([
  ['src/web/home/home-page.tsx', "call<Term[]>('GET', '/api/terms')", 'a call by method and path'],
  ['src/web/home/home-page.tsx', '<table className="tbl">', 'a table by hand'],
  [
    'src/web/home/home-page.tsx',
    "try { await save(); } catch (error) { flash(errorMessage(error, 'Not saved. Try again.')); }",
    'a failure shown by hand',
  ],
  ['src/server/terms/routes.ts', 'requireAdmin(request);', 'a check of the role'],
  ['src/server/terms/routes.ts', "app.get('/api/terms', list)", 'a check of the role'],
])('in %s, %s is a problem', (file, text, problem) => {
  const problems = writtenOnceProblems((one) => (one === file ? text : ''));
  expect(problems.filter((line) => line.startsWith(file))).toEqual([expect.stringContaining(problem)]);
});
