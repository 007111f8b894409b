import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  allRows,
  fetchPage,
  ids,
  listUrl,
  matchesView,
  sharedFaculty,
} from '../../../../tests/support/app/student-list.ts';
import { getFieldErrors, sharedApps } from '../../../../tests/support/app/test-app.ts';
import {
  DIRECTIONS,
  STUDENT_SORTS,
  type StudentListItem,
  type StudentView,
} from '../../../contract/students/student-list.ts';
import { STATUS_CODES, type Status } from '../../../domain/student.ts';
import type { Db } from '../../db/schema.ts';
import { fetchAndSort, fetchAndSortByIds, filterCandidates } from './candidates.ts';
import { countMatching } from './counts.ts';
import { type ParsedFilter, parseFilter } from './filter.ts';
import { scanForWords, scanIndex } from './index-scan.ts';
import { type RowPosition, readParts } from './order-ranges.ts';
import { type SearchPosition, type SearchRequest, search } from './search.ts';
import { searchCandidates } from './search-candidates.ts';

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
  status: optional(fc.subarray([...STATUS_CODES], { minLength: 1 })),
  degree: optional(fc.constantFrom('45', '46', '47', '48', '44')),
  cgpa_from: optional(fc.integer({ min: 0, max: 400 }).map((n) => n / 100)),
  cgpa_below: optional(fc.integer({ min: 0, max: 400 }).map((n) => n / 100)),
  incomplete: optional(fc.constant('true')),
  fell_by: optional(fc.constantFrom(0.01, 0.2, 0.5)),
  failed: optional(fc.constantFrom(101, 102, 107, 201, 212)),
  sort: optional(fc.constantFrom(...STUDENT_SORTS)),
  direction: optional(fc.constantFrom('ascending', 'descending')),
});
// Views with at most three filters, so that some students match.
const viewsWithMatches = fc
  .tuple(
    views,
    fc.subarray(
      [
        'department',
        'syn',
        'current_sem',
        'gender',
        'status',
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
  .map(([{ q, sort, direction, ...filters }, names]) => ({
    ...(q !== undefined && { q }),
    ...(sort !== undefined && { sort }),
    ...(direction !== undefined && { direction }),
    ...Object.fromEntries(
      Object.entries(filters).filter(([name, value]) => names.includes(name) && value !== undefined),
    ),
  })) as fc.Arbitrary<StudentView>;

describe.each(sharedApps())('the list of students, on $name', ({ test }) => {
  test('shows the values of each record', async ({ app, admin }) => {
    const faculty = await sharedFaculty(app, admin);
    expect(faculty).toHaveLength(100);
    for (const { row, academics, latest } of faculty) {
      expect(row.cgpa).toBe(latest);
      expect(row.is_complete).toBe(row.father_name !== null && academics.length >= row.current_sem - 1);
    }
    expect(faculty.some(({ row }) => row.cgpa === null)).toBe(true);
    expect(faculty.some(({ row }) => !row.is_complete)).toBe(true);
  });

  test('has exactly the matches of filters and search, sorted and without duplicates, at any page size', async ({
    app,
    admin,
  }) => {
    const faculty = await sharedFaculty(app, admin);
    const keyOf: Record<string, (row: StudentListItem, isAscending: boolean) => string | number> = {
      dob: ({ dob }) => dob,
      fsc_marks: ({ fsc_marks }) => fsc_marks,
      matric_marks: ({ matric_marks }) => matric_marks,
      // Students without a CGPA come last in either direction.
      cgpa: ({ cgpa }, isAscending) => cgpa ?? (isAscending ? 5 : -1),
    };
    await fc.assert(
      fc.asyncProperty(viewsWithMatches, fc.constantFrom(7, 30, 100, 500), async (view, limit) => {
        const { rows, first } = await allRows(admin, { ...view, limit });
        const expected = faculty.filter((entry) => matchesView(entry, view)).map(({ row }) => row);
        expect(new Set(ids(rows))).toEqual(new Set(ids(expected)));
        expect(rows).toHaveLength(expected.length);
        if (first.total_is === 'exact') expect(first.total).toBe(expected.length);
        const isOrdered = view.sort !== undefined || view.q === undefined;
        if (isOrdered) {
          const isActive = rows.map(({ status }) => status === 'active');
          expect(isActive).toEqual(isActive.toSorted((x, y) => Number(y) - Number(x)));
          const backwards = await allRows(admin, { ...view, limit, from: 'end' });
          expect(ids(backwards.rows).toReversed()).toEqual(ids(rows));
        }
        const key = view.sort === undefined ? undefined : keyOf[view.sort];
        if (key !== undefined) {
          const isAscending = view.direction !== 'descending';
          const sign = isAscending ? 1 : -1;
          for (const isActive of [true, false]) {
            const part = rows.filter(({ status }) => (status === 'active') === isActive);
            const keys = part.map((row) => key(row, isAscending));
            expect(keys).toEqual(keys.toSorted((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('has active students first, and filters by one status or several', async ({ app, admin }) => {
    const faculty = await sharedFaculty(app, admin);
    const statuses = faculty.map(({ row }) => row.status);
    expect(new Set(statuses)).toEqual(new Set(STATUS_CODES));
    const count = (...some: Status[]) => statuses.filter((status) => some.includes(status)).length;
    const all = (await allRows(admin, { limit: 7 })).rows;
    expect(all.findIndex(({ status }) => status !== 'active')).toBe(count('active'));
    const gone = await allRows(admin, { status: ['withdrawn', 'on-leave'] });
    expect(new Set(gone.rows.map(({ status }) => status))).toEqual(new Set(['on-leave', 'withdrawn']));
    expect(gone.first).toMatchObject({ total: count('withdrawn', 'on-leave'), total_is: 'exact' });
    expect(getFieldErrors(await admin.get(listUrl({ status: '' })))).toEqual({
      status: ['The status field is required.'],
    });
    for (const status of [',', 'gone', 'active,gone']) {
      expect(getFieldErrors(await admin.get(listUrl({ status }))), status).toEqual({
        status: [expect.stringContaining('active, on-leave, withdrawn, graduated, transferred')],
      });
    }
    const best = await admin.get(listUrl({ q: 'ali', from: 'end' }));
    expect(getFieldErrors(best)).toHaveProperty('from');
  });

  test('is the same in pages of one row, with the exact ID first', async ({ app, admin }) => {
    await sharedFaculty(app, admin);
    for (const view of [{ q: '42' }, { q: '42', gender: 'F' }, { q: 'ali hu', sort: 'cgpa' }] as const) {
      const whole = ids((await allRows(admin, view)).rows);
      expect(ids((await allRows(admin, { ...view, limit: 1 })).rows)).toEqual(whole);
      expect(whole.length).toBeGreaterThan(1);
    }
  });

  test('sorts IDs by their numbers, and names ignoring case and accents', async ({ app, admin }) => {
    await sharedFaculty(app, admin);
    const byId = ids((await allRows(admin, { q: 's', sort: 'id' })).rows).filter((id) => id.startsWith('S-'));
    expect(byId).toEqual(['S-9', 'S-10']);
    const byName = (await allRows(admin, { q: 'hunzai', sort: 'name', direction: 'descending' })).rows;
    const own = byName.filter(({ id }) => /^(S-|X|0042|42)/.test(id)).map(({ first_name }) => first_name);
    expect(own.indexOf('Zoë')).toBeLessThan(own.indexOf('Şerif'));
  });

  test('finds prefixes of words in any order, with the exact ID first', async ({ app, admin }) => {
    await sharedFaculty(app, admin);
    const found = async (q: string) =>
      (await fetchPage(admin, { q })).students.map(({ first_name }) => first_name);
    expect(await found('zoe')).toEqual(['Zoë']);
    expect(await found('HUNZ zo')).toEqual(['Zoë']);
    expect(await found('oneil')).toEqual(['O’Neil']);
    expect(await found("o'neil hun")).toEqual(['O’Neil']);
    expect(await found('huda noor ul')).toContain('Noor-ul-Huda');
    expect(await found('strasse')).toEqual(['Jörg Straße']);
    expect(await found('جمش')).toEqual(['جمشید']);
    expect((await fetchPage(admin, { q: '42' })).students[0]?.id).toBe('42');
    expect((await fetchPage(admin, { q: '0042' })).students[0]?.id).toBe('0042');
    // Students with the words next to each other in one name come first.
    const names = (await allRows(admin, { q: 'ali hunzai', limit: 2 })).rows.map((row) => [
      `${row.first_name} ${row.last_name}`,
      row.father_name,
    ]);
    const isSideBySide = names.map((both) => both.some((name) => /^al[ií] hunzai/i.test(name ?? '')));
    expect(isSideBySide).toContain(true);
    expect(isSideBySide.toSorted((x, y) => Number(y) - Number(x))).toEqual(isSideBySide);
  });

  test('sorts ids fetched in batches as if they were fetched together', async ({ app, admin }) => {
    const all = ids((await sharedFaculty(app, admin)).map(({ row }) => row));
    const filter = parseFilter({});
    for (const sort of STUDENT_SORTS) {
      for (const direction of DIRECTIONS) {
        for (const isBackwards of [false, true]) {
          const order = { sort, direction, isBackwards };
          const range = { filter, order, after: undefined, limit: 70 };
          const once = await readParts(range, (part) =>
            fetchAndSort(app.db.read, { source: 'ids', ids: all, ...part }),
          );
          expect(once).toHaveLength(70);
          expect(
            await fetchAndSortByIds(app.db.read, all, range, { batchSize: 9 }),
            `${sort} ${direction}`,
          ).toEqual(once);
        }
      }
    }
  });

  test('has the best matches in one order, whether all students are searched or the few that filters leave', async ({
    app,
    admin,
  }) => {
    await sharedFaculty(app, admin);
    const { read } = app.db;
    const strategies = [
      search,
      (db: Db, filter: ParsedFilter, request: SearchRequest) =>
        searchCandidates(db, filter, 'cohorts', request),
    ];
    for (const q of ['al', 'hunz', 'ali hunzai', 'mu', 'ali 42', '42', '03', '551', 'noor-ul-huda', 'zzz']) {
      const filter = parseFilter({ q, gender: 'F' });
      // Each page by the strategy that `choose` names.
      const pages = async (choose: (page: number) => number) => {
        const found: string[] = [];
        let after: SearchPosition | undefined;
        for (let page = 0; ; page += 1) {
          const one = await strategies[choose(page) % 2]?.(read, filter, {
            after,
            except: undefined,
            limit: 5,
          });
          found.push(...(one?.ids ?? []));
          after = one?.next;
          if (after === undefined) return found;
        }
      };
      const followed = await pages(() => 0);
      expect(await pages(() => 1), q).toEqual(followed);
      expect(await pages((page) => page), q).toEqual(followed);
      expect(await pages((page) => page + 1), q).toEqual(followed);
    }
  });

  test('finds the rows with the words of a search in any order, however they are scanned', async ({
    app,
    admin,
  }) => {
    await sharedFaculty(app, admin);
    const { read } = app.db;
    for (const [i, q] of ['hunz', 'ali hunzai', 'al', 'ali 42', 'noor-ul-huda'].entries()) {
      const filter = parseFilter({ q });
      const counts = await countMatching(read, filter);
      for (const [j, sort] of STUDENT_SORTS.entries()) {
        // Each order with two or three of the searches: PostgreSQL plans each statement for a tenth of a second.
        const direction = DIRECTIONS[(i + j) % 2] ?? 'ascending';
        const order = { sort, direction, isBackwards: false };
        const all = await readParts({ filter, order, after: undefined, limit: 500 }, (part) =>
          scanIndex(read, part),
        );
        const rest = all.slice(21);
        const found = await filterCandidates(
          read,
          filter,
          rest.map(([, id]) => id),
        );
        const expected = rest.filter(([, id]) => found.has(id));
        const scan = (after: RowPosition | undefined, limit: number, rows: number) =>
          scanForWords(
            read,
            { filter, order, after, limit },
            counts,
            { some: rows, empty: rows },
            { withBits: 100, withoutBits: 100 },
          );
        expect(await scan(all[20], 500, 1e6), `${q} ${sort} ${direction}`).toEqual({
          matches: expected,
          end: undefined,
        });
        expect((await scan(all[20], 3, 1e6)).matches).toEqual(expected.slice(0, 3));
        const continued: RowPosition[] = [];
        for (let end = all[20]; end !== undefined; ) {
          const some = await scan(end, 500, 1);
          continued.push(...some.matches);
          end = some.end;
        }
        expect(continued).toEqual(expected);
      }
    }
  });
});
