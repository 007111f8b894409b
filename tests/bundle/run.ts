import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeXlsx } from 'hucre';
import sharp from 'sharp';
import { z } from 'zod';
import { marksSheetReply } from '../../src/contract/courses.ts';
import { homeReply } from '../../src/contract/home.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { Api, registerUser } from '../support/api.ts';
import { readPdf } from '../support/read-pdf.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../support/records.ts';
import { Here } from './here.ts';
import { killWhileSaving, WRITERS } from './kills.ts';
import type { Place, Run } from './place.ts';
import { Root } from './root.ts';
import { Wine } from './wine.ts';

/** What of the reply is used, which an older version has, too. */
const issuedDocuments = z.object({ documents: z.array(z.looseObject({ serial: z.string() })) });

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert(address !== null && typeof address !== 'string');
  return address.port;
}

/** Whether a bundle runs, or has ended instead. */
async function comesToRun(run: Run): Promise<boolean> {
  while (!run.hasEnded()) {
    if (/^SIMS \S+ is running: /m.test(run.text())) return true;
    await setTimeout(20);
  }
  return false;
}

async function waitUntilRunning(run: Run): Promise<void> {
  assert(await comesToRun(run), `it ended: ${run.text()}`);
}

async function step(title: string, work: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await work();
  console.log(`${((performance.now() - begin) / 1_000).toFixed(1).padStart(5)} s  ${title}`);
}

/** The reply of a call that sends or answers files. */
async function send(url: string, token: string, path: string, body?: FormData, method = 'POST') {
  const reply = await fetch(url + path, {
    method: body === undefined ? 'GET' : method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    ...(body !== undefined && { body }),
  });
  assert(reply.ok, `${path} answered ${reply.status}: ${reply.ok ? '' : await reply.text()}`);
  return reply;
}

interface Bundles {
  /** The folder of the bundle to try. */
  bundle: string;
  /** That of an older one, with which the records are begun. */
  older: string | undefined;
  /** How often the server is killed while people save. */
  kills: number;
}

/** Does with a bundle what an office does with it. */
async function tryBundle(place: Place, { bundle, older = bundle, kills }: Bundles): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const inData = (...parts: string[]) => place.at(place.join(place.data, ...parts));
  let folder = place.unpack(older, place.programs);
  const start = (env = {}) =>
    place.run(place.join(folder, place.startFile), ['--no-browser'], { PORT: String(port), ...env });
  const sims = async (...args: string[]) => {
    const run = place.run(place.join(folder, place.simsFile), args);
    return { code: await run.ended, text: run.text() };
  };
  const refusal = async (env: Record<string, string> = {}) => {
    const run = start(env);
    assert.equal(await comesToRun(run), false, run.text());
    assert.notEqual(await run.ended, 0, run.text());
    const text = run.text().trim();
    assert.equal(text.split('\n').length, 1, text);
    return text;
  };

  let running = start();
  await step('starts in a folder with spaces and Urdu letters, and makes its data folder', async () => {
    await waitUntilRunning(running);
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    if (!place.isWindows) {
      assert.equal(statSync(inData()).mode & 0o777, 0o700);
      assert.equal(statSync(inData('sims.db')).mode & 0o777, 0o600);
    }
    assert.match(readFileSync(inData('settings.txt'), 'utf8'), /^#PORT=3000\r?$/m);
    assert.match(readFileSync(inData('logs', 'sims.log'), 'utf8'), /"msg":"starting"/);
    assert.equal(readdirSync(place.at(folder)).includes('data'), false);
  });

  await step('is started twice: the second one leaves it to the first', async () => {
    const second = start();
    assert.equal(await second.ended, 0, second.text());
    assert.match(second.text(), /^SIMS \S+ is running already: /);
    assert.match(
      await refusal({ SIMS_DATA_DIR: place.join(place.home, 'other') }),
      /Another SIMS.* set PORT in .*settings\.txt/,
    );
    assert.match(await refusal({ PORT: String(await freePort()) }), /is in use by pid \d+/);
  });

  const { token, user, password } = await registerUser(url);
  const api = new Api(url, token);
  const student = aStudent({ first_name: 'Ayesha', last_name: 'صدیقی' });
  const course = aCourse();
  await step('registers, admits, enters results and marks from a workbook, a portrait', async () => {
    await api.nameInstitution();
    await api.post('/api/students', student);
    await api.post('/api/students/family', aFamily(student.id));
    await api.post('/api/courses', course);
    const subject = {
      course_id: course.course_id,
      title: course.course_name,
      credits: 3,
      grade: 'A' as const,
      attempt: 1,
    };
    await api.post('/api/students/academics', aSemester(student.id, 1, [subject]));
    const rows = [['Marks'], [61], [72.5], [88]];
    const workbook = await writeXlsx({ sheets: [{ name: 'Marks', rows }] });
    const marks = new FormData();
    marks.set('file', new Blob([Uint8Array.from(workbook)]), 'marks.xlsx');
    const { text } = marksSheetReply.parse(
      await (await send(url, token, '/api/courses-marks/sheet', marks)).json(),
    );
    await api.post('/api/courses-marks', { course_id: course.course_id, marks: text });
    const portrait = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#246' } })
      .jpeg()
      .toBuffer();
    const picture = new FormData();
    picture.set('picture', new Blob([Uint8Array.from(portrait)], { type: 'image/jpeg' }), 'me.jpg');
    await send(url, token, `/api/users/${user.id}/picture`, picture, 'PUT');
  });

  await step('issues a transcript as PDF', async () => {
    const issued = issuedDocuments.parse(
      await api.post('/api/documents', { kind: 'transcript', official: true, ids: [student.id] }),
    );
    const serial = issued.documents[0]?.serial;
    const pdf = await readPdf(
      new Uint8Array(await (await send(url, token, `/api/documents/${serial}.pdf`)).arrayBuffer()),
    );
    assert.match(JSON.stringify(pdf), /Ayesha/);
  });

  const backup = place.join(place.home, 'Backup اردو.backup');
  const workbook = place.join(place.home, 'students.xlsx');
  await step('makes and checks a backup, exports a workbook', async () => {
    const made = await sims('backup', '--to', backup);
    assert.equal(made.code, 0, made.text);
    assert.equal((await sims('verify')).code, 0);
    assert.equal((await sims('verify', backup)).code, 0);
    assert.equal((await sims('export', '--to', workbook)).code, 0);
    assert.equal(readFileSync(place.at(workbook)).subarray(0, 2).toString(), 'PK');
    assert.match((await sims('--help')).text, /^Usage: (".*Faculty Office .*sims"|\.\\sims\.cmd) <command>/);
  });

  await step('stops, and restores the backup after the student was deleted', async () => {
    await new Api(url, token).send('DELETE', `/api/students/${student.id}`);
    await place.stop(running);
    const restored = await sims('restore', backup, '--force');
    assert.equal(restored.code, 0, restored.text);
  });

  await step('is updated: unpacked beside, started on the same data, the old folder removed', async () => {
    const before = folder;
    folder = place.unpack(bundle, place.join(place.programs, 'new version'));
    renameSync(place.at(before), place.at(place.join(place.programs, 'removed')));
    running = start();
    await waitUntilRunning(running);
    // A restore ends every session.
    const again = await new Api(url).post<{ token: string }>('/api/login', { email: user.email, password });
    const record = await (await new Api(url, again.token).send('GET', `/api/students/${student.id}`)).text();
    assert.match(record, /Ayesha/);
    const { backups } = homeReply.parse(await new Api(url, again.token).get('/api/home'));
    assert.equal(backups?.folder, place.join(place.data, 'backups'));
    assert.equal(backups.every_hours, 24);
    if (older === bundle) return;
    const names = readdirSync(place.at(backups.folder)).join(' ');
    assert.match(names, /-before-migration\.backup/);
  });

  await step(
    `is killed ${kills} times while ${WRITERS} people save: nothing acknowledged is lost`,
    async () => {
      const again = await new Api(url).post<{ token: string }>('/api/login', { email: user.email, password });
      const saved = await killWhileSaving(new Api(url, again.token), kills, async () => {
        await place.kill(running);
        running = start();
        await waitUntilRunning(running);
      });
      await place.stop(running);
      const checked = await sims('verify');
      assert.equal(checked.code, 0, checked.text);
      console.log(`         ${saved} courses were acknowledged.`);
    },
  );

  await step('refuses what it can’t start with in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert(address !== null && typeof address !== 'string');
    assert.match(await refusal({ PORT: String(address.port) }), /EADDRINUSE.* Set .*PORT/);
    taken.close();

    const db = (await loadSqliteEngine()).open(inData('sims.db'));
    db.exec(
      "insert into schema_versions (version, name, applied_at) values (999, 'of-the-future', '2040-01-01T00:00:00.000Z')",
    );
    db.close();
    assert.match(await refusal(), /The database .* start a newer SIMS\.$/);

    const long = place.join(place.home, 'a'.repeat(120), 'b'.repeat(100));
    if (place.isWindows) assert.match(await refusal({ SIMS_DATA_DIR: long }), /has a path of \d+ letters/);
    // Whoever changes the root without being root may write everywhere in it.
    if (!(place instanceof Root) || process.getuid?.() !== 0) return;
    assert.match(await refusal({ SIMS_DATA_DIR: '/opt/data' }), /data folder \/opt\/data can't be created/);
    mkdirSync(place.at('/opt/data'));
    place.give('/opt/data', 0o500);
    assert.match(await refusal({ SIMS_DATA_DIR: '/opt/data' }), /can't be written/);
  });
}

/** The exit code for what could not be tried here. */
const NOT_TESTED = 77;

const { values, positionals } = parseArgs({
  options: {
    older: { type: 'string' },
    wine: { type: 'string' },
    here: { type: 'boolean' },
    kills: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});
const [bundle] = positionals;
assert(bundle !== undefined, 'Name the folder of a bundle.');
const place = values.here ? new Here() : values.wine === undefined ? new Root(bundle) : new Wine(values.wine);
process.once('exit', () => place.remove());
if (place instanceof Root && !(await place.canBeEntered())) {
  console.log('NOT TESTED: the bundle, since this user may not change the root of a process.');
  process.exitCode = NOT_TESTED;
} else {
  console.log(`In ${place.name}:`);
  await tryBundle(place, { bundle, older: values.older, kills: Number(values.kills) });
}
