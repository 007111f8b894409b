import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { sharedApps } from '../../../tests/support/app.ts';
import { allOf, facultyOf, ids, isMeant, page } from '../../../tests/support/student-list.ts';
import {
  DIRECTIONS,
  STUDENT_SORTS,
  type StudentListed,
  type StudentView,
} from '../../contract/student-list.ts';
import { narrowingOf } from './list-filter.ts';
import { collect, collectOf } from './list-walk.ts';

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 3 });
const views = fc.record({
  q: optional(
    fc.oneof(
      fc.constantFrom(
        'ali',
        'a',
        'ali hunzai',
        'hunz ali',
        'al hu',
        'S-9',
        '42',
        '92 300',
        '92300',
        'zoe',
        'm',
        'noor ul',
      ),
      fc
        .array(fc.constantFrom('al', 'h', '2', '03', 'khan', 'm', 'ra', 'o'), {
          minLength: 1,
          maxLength: 3,
        })
        .map((words) => words.join(' ')),
    ),
  ),
  department: optional(fc.constantFrom('EE', 'CE', 'ME', 'MTS')),
  syn: optional(fc.constantFrom('A', 'B', 'C')),
  current_sem: optional(fc.integer({ min: 1, max: 8 })),
  gender: optional(fc.constantFrom('M', 'F')),
  degree: optional(fc.constantFrom('45', '46', '47', '48', '44')),
  cgpa_from: optional(fc.integer({ min: 0, max: 400 }).map((n) => n / 100)),
  cgpa_below: optional(fc.integer({ min: 0, max: 400 }).map((n) => n / 100)),
  incomplete: optional(fc.constant('true')),
  fell_by: optional(fc.constantFrom(0.01, 0.2, 0.5)),
  failed: optional(fc.constantFrom(101, 102, 107, 201, 212)),
  sort: optional(fc.constantFrom(...STUDENT_SORTS)),
  direction: optional(fc.constantFrom('ascending', 'descending')),
});
// Most filters are left out of most views, so that some students are left.
const calm = fc
  .tuple(
    views,
    fc.subarray(
      [
        'department',
        'syn',
        'current_sem',
        'gender',
        'degree',
        'cgpa_from',
        'cgpa_below',
        'incomplete',
        'fell_by',
        'failed',
      ],
      { maxLength: 3 },
    ),
  )
  .map(([{ q, sort, direction, ...filters }, kept]) => ({
    ...(q !== undefined && { q }),
    ...(sort !== undefined && { sort }),
    ...(direction !== undefined && { direction }),
    ...Object.fromEntries(
      Object.entries(filters).filter(([name, value]) => kept.includes(name) && value !== undefined),
    ),
  })) as fc.Arbitrary<StudentView>;

describe.each(sharedApps())('the list of students, on $name', ({ test }) => {
  test('shows of each student what the record says', async ({ app, admin }) => {
    const faculty = await facultyOf(app, admin);
    expect(faculty).toHaveLength(100);
    for (const { row, academics, latest } of faculty) {
      expect(row.cgpa).toBe(latest);
      expect(row.is_complete).toBe(row.father_name !== null && academics.length >= row.current_sem - 1);
    }
    expect(faculty.some(({ row }) => row.cgpa === null)).toBe(true);
    expect(faculty.some(({ row }) => !row.is_complete)).toBe(true);
  });

  test('has exactly those whom filters and search leave, each once, in order, however it is cut into pages', async ({
    app,
    admin,
  }) => {
    const faculty = await facultyOf(app, admin);
    const keyOf: Record<string, (row: StudentListed, isAscending: boolean) => string | number> = {
      dob: ({ dob }) => dob,
      fsc_marks: ({ fsc_marks }) => fsc_marks,
      matric_marks: ({ matric_marks }) => matric_marks,
      // Behind all others in either direction.
      cgpa: ({ cgpa }, isAscending) => cgpa ?? (isAscending ? 5 : -1),
    };
    await fc.assert(
      fc.asyncProperty(calm, fc.constantFrom(7, 30, 100, 500), async (view, limit) => {
        const { rows, first } = await allOf(admin, { ...view, limit });
        const meant = faculty.filter((entry) => isMeant(entry, view)).map(({ row }) => row);
        expect(new Set(ids(rows))).toEqual(new Set(ids(meant)));
        expect(rows).toHaveLength(meant.length);
        if (first.total_is === 'exact') expect(first.total).toBe(meant.length);
        const key = view.sort === undefined ? undefined : keyOf[view.sort];
        if (key !== undefined) {
          const isAscending = view.direction !== 'descending';
          const sign = isAscending ? 1 : -1;
          const keys = rows.map((row) => key(row, isAscending));
          expect(keys).toEqual(keys.toSorted((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0)));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('is the same in pages of one, also where the exact ID leads', async ({ app, admin }) => {
    await facultyOf(app, admin);
    for (const view of [{ q: '42' }, { q: '42', gender: 'F' }, { q: 'ali hu', sort: 'cgpa' }] as const) {
      const whole = ids((await allOf(admin, view)).rows);
      expect(ids((await allOf(admin, { ...view, limit: 1 })).rows)).toEqual(whole);
      expect(whole.length).toBeGreaterThan(1);
    }
  });

  test('puts IDs in the order of their numbers, names without regard to case and accents', async ({
    app,
    admin,
  }) => {
    await facultyOf(app, admin);
    const byId = ids((await allOf(admin, { q: 's', sort: 'id' })).rows).filter((id) => id.startsWith('S-'));
    expect(byId).toEqual(['S-9', 'S-10']);
    const byName = (await allOf(admin, { q: 'hunzai', sort: 'name', direction: 'descending' })).rows;
    const own = byName.filter(({ id }) => /^(S-|X|0042|42)/.test(id)).map(({ first_name }) => first_name);
    expect(own.indexOf('Zoë')).toBeLessThan(own.indexOf('Şerif'));
  });

  test('is searched by the beginnings of words in any order; the exact ID comes first', async ({
    app,
    admin,
  }) => {
    await facultyOf(app, admin);
    const found = async (q: string) =>
      (await page(admin, { q })).students.map(({ first_name }) => first_name);
    expect(await found('zoe')).toEqual(['Zoë']);
    expect(await found('HUNZ zo')).toEqual(['Zoë']);
    expect(await found('oneil')).toEqual(['O’Neil']);
    expect(await found("o'neil hun")).toEqual(['O’Neil']);
    expect(await found('huda noor ul')).toContain('Noor-ul-Huda');
    expect(await found('strasse')).toEqual(['Jörg Straße']);
    expect(await found('محم')).toEqual(['محمد']);
    expect((await page(admin, { q: '42' })).students[0]?.id).toBe('42');
    expect((await page(admin, { q: '0042' })).students[0]?.id).toBe('0042');
    // Side by side in one name before those of whom the words are further apart.
    const names = (await allOf(admin, { q: 'ali hunzai', limit: 2 })).rows.map((row) => [
      `${row.first_name} ${row.last_name}`,
      row.father_name,
    ]);
    const isSideBySide = names.map((both) => both.some((name) => /^al[ií] hunzai/i.test(name ?? '')));
    expect(isSideBySide).toContain(true);
    expect(isSideBySide.toSorted((x, y) => Number(y) - Number(x))).toEqual(isSideBySide);
  });

  test('puts many in one order, though it looks them up a few at a time', async ({ app, admin }) => {
    const all = ids((await facultyOf(app, admin)).map(({ row }) => row));
    const narrowing = narrowingOf({});
    for (const sort of STUDENT_SORTS) {
      for (const direction of DIRECTIONS) {
        const stretch = { narrowing, order: { sort, direction }, after: undefined, limit: 70 };
        const once = await collect(app.db.read, { source: 'ids', ids: all, ...stretch });
        expect(once).toHaveLength(70);
        expect(await collectOf(app.db.read, all, stretch, { piece: 9 }), `${sort} ${direction}`).toEqual(
          once,
        );
      }
    }
  });
});
