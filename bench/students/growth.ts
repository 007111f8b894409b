/** What the calls of the list and the figures cost at a thousand to a million students, and how that grows. */
import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { studentPageReply } from '../../src/contract/students/student-list.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile, timeCalls } from '../../tests/support/load/closed-loop.ts';
import { computedMs, residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { BareList } from '../support/bare/bare-list.ts';
import { type Faculty, openFaculty, short } from '../support/faculty.ts';
import { growthChart } from '../support/growth-chart.ts';
import { type ListCall, listCalls } from '../support/list-calls.ts';
import { timePaced } from '../support/paced.ts';

const SIZES = (process.env.SIMS_BENCH_SIZES || '1000,10000,100000,1000000').split(',').map(Number);
const USERS = 16;
/** Requests per second of a paced user; typing is about five keys per second. */
const PACE = 10;
/** Measurements, each of the bare server and then the product. */
const ROUNDS = 3;
/**
 * `ratio`: minimum product rate / bare server rate. `few`: for calls that find so few students, sign-in check, routing and the text of
 * the reply are most of the cost, which the bare server does not have; `computed` limits their CPU time in milliseconds instead.
 * `growth`: maximum time at the largest size / time at 10,000.
 */
const LIMITS = { ratio: 0.5, few: 5, computed: 1, growth: 2 };
const CHART = fileURLToPath(new URL('../../docs/images/growth.svg', import.meta.url));

/** In milliseconds, except `rate` (requests per second) and `ratio`. */
interface Figures {
  call: ListCall;
  median: number;
  p99: number;
  /** With users who send the next request as soon as they have the reply, so the server is saturated. */
  p99Together: number;
  /** With the same number of users at a fixed rate. */
  p99Paced: number;
  /** CPU time per request of the product, and of the bare server. */
  computed: number;
  bareComputed: number;
  rate: number;
  /** Rate relative to that of the bare server. */
  ratio: number;
  /** Students that a page has on average. */
  found: number;
}

const median = (values: readonly number[]) => quantile(values, 0.5);
const ms = (n: number) => n.toFixed(n < 10 ? 2 : 1).padStart(9);

/** Waits until the server has finished abandoned requests. */
async function untilIdle(pid: number | undefined): Promise<void> {
  // Checked twice: on a busy machine the process may not have been scheduled.
  for (let calm = 0, tries = 0; calm < 2 && tries < 100; tries += 1) {
    const before = computedMs(pid);
    await setTimeout(100);
    calm = computedMs(pid) - before > 20 ? 0 : calm + 1;
  }
}

async function measure(
  server: Server,
  token: string,
  bare: BareList,
  { call, found }: { call: ListCall; found: number },
): Promise<Figures> {
  const own = { users: USERS, token };
  await timeCalls(server.url, call.paths, { ...own, users: 2, seconds: 1 }); // warm
  await untilIdle(server.pid);
  const alone = await timeCalls(server.url, call.paths, { ...own, users: 1, seconds: 1 });
  // Long enough for several replies per user.
  const seconds = Math.min(5, Math.ceil((median(alone.times) * USERS * 4) / 1_000)) || 5;
  const paced = await timePaced(server.url, call.paths, { ...own, seconds: 3, aSecond: PACE });
  await untilIdle(server.pid);
  const together: number[] = [];
  const rates: number[] = [];
  const ratios: number[] = [];
  let [computed, bareComputed, bareCalls] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    bareComputed -= computedMs(bare.pid);
    const limit = await timeCalls(bare.origin, bare.toPaths(call), { users: USERS, seconds: 1 });
    bareComputed += computedMs(bare.pid);
    bareCalls += limit.times.length;
    computed -= computedMs(server.pid);
    const { times, rate } = await timeCalls(server.url, call.paths, { ...own, seconds });
    computed += computedMs(server.pid);
    await untilIdle(server.pid);
    together.push(...times);
    rates.push(rate);
    ratios.push(rate / limit.rate);
  }
  return {
    call,
    median: median(alone.times),
    p99: quantile(alone.times, 0.99),
    p99Together: quantile(together, 0.99),
    p99Paced: quantile(paced, 0.99),
    computed: computed / together.length,
    bareComputed: bareComputed / bareCalls,
    rate: median(rates),
    ratio: median(ratios),
    found,
  };
}

async function measureAll(faculty: Faculty): Promise<Figures[]> {
  const calls = await listCalls(faculty.dataDir);
  const server = await Server.start({ SIMS_DATA_DIR: faculty.dataDir, LOG_LEVEL: 'warn' });
  const bare = await BareList.start(faculty.dataDir, calls);
  try {
    const { token } = await registerUser(server.url);
    const api = new Api(server.url, token);
    report(faculty);
    const all: Figures[] = [];
    for (const call of calls) {
      await requireResults(api, bare, call);
      const figures = await measure(server, token, bare, { call, found: await countFound(api, call) });
      all.push(figures);
      reportCall(figures);
    }
    const memory = [residentMib(server.pid), residentMib(server.pid, 'VmHWM')].map((n) => n?.toFixed(0));
    console.log(`Memory of the server: ${memory[0]} MiB, at most ${memory[1]}`);
    if (faculty.students === SIZES.at(-1)) {
      await typing(api);
      await insights(server.url, token);
      await starts(server);
    }
    return all;
  } finally {
    await bare.stop();
    await server.dispose();
  }
}

/**
 * Fails if a request finds no students or the bare server answers others: such a request would measure nothing. Only full
 * pages of a search may have different students.
 */
async function requireResults(api: Api, bare: BareList, call: ListCall): Promise<void> {
  const { students, next_cursor } = studentPageReply.parse(await api.get(call.paths[0] ?? ''));
  const rows = new Map((await bare.readRows(call)).map((row) => [row.id, row]));
  if (students.length === 0 || (students.length !== rows.size && next_cursor === null))
    throw new Error(
      `${call.name}: ${students.length} students on the page, ${rows.size} from the bare server`,
    );
  const mayDiffer = call.group === 'Searches' && next_cursor !== null;
  const different = students.find((student) => {
    const row = rows.get(student.id);
    return row === undefined ? !mayDiffer : !isDeepStrictEqual(row, student);
  });
  if (different !== undefined)
    throw new Error(`${call.name}: the bare server answers student ${different.id} differently`);
}

async function countFound(api: Api, { paths }: ListCall): Promise<number> {
  let found = 0;
  for (const path of paths) found += studentPageReply.parse(await api.get(path)).students.length;
  return found / paths.length;
}

function report({ students, seconds, bytes }: Faculty): void {
  console.log(
    `\n${students.toLocaleString('en')} students: ${(bytes / 2 ** 20).toFixed(0)} MiB, ${(bytes / students).toFixed(0)} bytes a student, made in ${seconds.toFixed(0)} s`,
  );
  console.log(
    `${'Times in ms'.padEnd(32)}   median      p99    paced  p99 of ${USERS} computed     bare   calls/s  of bare`,
  );
}

function reportCall({
  call,
  p99,
  p99Together,
  p99Paced,
  computed,
  bareComputed,
  rate,
  ratio,
  found,
  ...own
}: Figures): void {
  const isFew = found < LIMITS.few && computed <= LIMITS.computed;
  const verdict = ratio >= LIMITS.ratio ? 'ok' : isFew ? 'ok, few' : `UNDER ${LIMITS.ratio}`;
  console.log(
    `${call.name.padEnd(32)}${ms(own.median)}${ms(p99)}${ms(p99Paced)}${ms(p99Together)}${ms(computed)}${ms(bareComputed)}${rate.toFixed(0).padStart(10)}${ratio.toFixed(2).padStart(9)} ${verdict}`,
  );
}

/** A search as it is typed: one request per keystroke. */
async function typing(api: Api): Promise<void> {
  console.log('\nTyped letter by letter, ms of each keystroke’s call (median of 15, and the slowest)');
  for (const text of ['muhammad khan', 'fatima malik', '2019']) {
    for (let length = 1; length <= text.length; length += 1) {
      const q = text.slice(0, length);
      if (q.endsWith(' ')) continue;
      const times: number[] = [];
      let found = '';
      for (let i = 0; i < 15; i += 1) {
        const before = performance.now();
        const answer = await api.get(`/api/students?q=${encodeURIComponent(q)}`);
        times.push(performance.now() - before);
        const { total, total_is } = studentPageReply.parse(answer);
        found = `${total.toLocaleString('en')} ${total_is}`;
      }
      console.log(`  ${q.padEnd(16)}${ms(median(times))}${ms(Math.max(...times))}   ${found}`);
    }
  }
}

const PANELS = [
  ...['cgpas', 'cgpas?split=degree', 'cgpas?split=syn', 'low-cgpas', 'low-cgpas?cgpa_below=2.55', 'falls'],
  ...['pass-rates', 'class-sizes', 'home'],
];

async function insights(origin: string, token: string): Promise<void> {
  console.log(`\n${'Figures of all students, ms'.padEnd(32)}   median      p99  p99 of ${USERS}`);
  for (const panel of PANELS) {
    const paths = [panel === 'home' ? '/api/home' : `/api/insights/${panel}`];
    const { times } = await timeCalls(origin, paths, { users: 1, seconds: 1, token });
    const together = await timeCalls(origin, paths, { users: USERS, seconds: 2, token });
    console.log(
      `${panel.padEnd(32)}${ms(median(times))}${ms(quantile(times, 0.99))}${ms(quantile(together.times, 0.99))}`,
    );
  }
}

async function starts(server: Server): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    await server.stop();
    const before = performance.now();
    await server.restart();
    times.push(performance.now() - before);
  }
  console.log(
    `\nStart to ready, median of 3: ${median(times).toFixed(0)} ms, memory then ${residentMib(server.pid)?.toFixed(0)} MiB`,
  );
}

function growth(all: ReadonlyMap<number, readonly Figures[]>): void {
  const largest = SIZES.at(-1) ?? 0;
  console.log(
    `\nGrowth from 10k to ${short(largest)} (limit ${LIMITS.growth}): median, p99 of ${USERS}, computed`,
  );
  for (const [i, to] of (all.get(largest) ?? []).entries()) {
    const from = all.get(10_000)?.[i];
    if (from === undefined) continue;
    const [alone, together] = [to.median / from.median, to.p99Together / from.p99Together];
    const verdict = Math.max(alone, together) <= LIMITS.growth ? 'ok' : 'OVER';
    const columns = [alone, together, to.computed / from.computed].map((n) => n.toFixed(2).padStart(9));
    console.log(`${to.call.name.padEnd(32)}${columns.join('')} ${verdict}`);
  }
}

async function draw(all: ReadonlyMap<number, readonly Figures[]>): Promise<void> {
  const [some = []] = all.values();
  const by = (name: string, of: (figures: Figures) => number) =>
    new Map(
      [...all].flatMap(([size, figures]) =>
        figures.filter(({ call }) => call.name === name).map((own) => [size, of(own)] as const),
      ),
    );
  const panels = [...new Set(some.map(({ call }) => call.group))].map((title) => ({
    title,
    lines: some
      .filter(({ call }) => call.group === title)
      .map(({ call: { name } }) => ({
        name,
        alone: by(name, (figures) => figures.median),
        together: by(name, (figures) => figures.p99Together),
      })),
  }));
  const month = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric' });
  await writeFile(CHART, growthChart(panels, SIZES, `Embedded database, two cores, ${month}.`));
}

const all = new Map<number, Figures[]>();
for (const students of SIZES) all.set(students, await measureAll(await openFaculty(students)));
if (SIZES.length > 1) {
  growth(all);
  await draw(all);
}
