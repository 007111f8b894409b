import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writeXlsx } from 'hucre';
import sharp from 'sharp';
import { marksSheetReply } from '../../src/contract/courses.ts';
import { documentsCreatedReply } from '../../src/contract/documents/documents.ts';
import { Api, registerUser } from '../support/api.ts';
import { readPdf } from '../support/read-pdf.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../support/records.ts';
import { Root } from './root.ts';

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

type Run = ReturnType<Root['run']>;

/** Waits until a bundle says that it is running. */
async function waitUntilRunning({ child, output }: Run): Promise<void> {
  while (!/^SIMS \S+ is running: /m.test(output.text)) {
    assert.equal(child.exitCode, null, `it ended: ${output.text}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  }
}

async function stop({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
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

/** Does with a bundle what an office does with it, in a system without Node.js. */
async function tryBundle(bundle: string, root: Root): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const data = join(root.home, '.local', 'share', 'sims');
  const inData = (...parts: string[]) => root.at(join(data, ...parts));
  let folder = root.unpack(bundle, '/opt/Faculty Office اردو');
  const start = (env = {}) =>
    root.run(join(folder, 'start'), ['--no-browser'], { PORT: String(port), ...env });
  const sims = async (...args: string[]) => {
    const { output, ended } = root.run(join(folder, 'sims'), args);
    return { code: await ended, text: output.text };
  };
  const refusal = async (env: Record<string, string>) => {
    const { output, ended } = start(env);
    assert.notEqual(await ended, 0, output.text);
    const lines = output.text.trim().split('\n');
    assert.equal(lines.length, 1, output.text);
    return output.text;
  };

  let running = start();
  await step('starts in a folder with spaces and Urdu letters, and makes its data folder', async () => {
    await waitUntilRunning(running);
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    assert.equal(statSync(inData()).mode & 0o777, 0o700);
    assert.equal(statSync(inData('sims.db')).mode & 0o777, 0o600);
    assert.match(readFileSync(inData('settings.txt'), 'utf8'), /^#PORT=3000$/m);
    assert.match(readFileSync(inData('logs', 'sims.log'), 'utf8'), /"msg":"starting"/);
    assert.equal(readdirSync(root.at(folder)).includes('data'), false);
  });

  await step('is started twice: the second one leaves it to the first', async () => {
    const second = start();
    assert.equal(await second.ended, 0, second.output.text);
    assert.match(second.output.text, /^SIMS \S+ is running already: /);
    assert.match(
      await refusal({ SIMS_DATA_DIR: '/tmp/other' }),
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
    const issued = documentsCreatedReply.parse(
      await api.post('/api/documents', { kind: 'transcript', official: true, ids: [student.id] }),
    );
    const serial = issued.documents[0]?.serial;
    const pdf = await readPdf(
      new Uint8Array(await (await send(url, token, `/api/documents/${serial}.pdf`)).arrayBuffer()),
    );
    assert.match(JSON.stringify(pdf), /Ayesha/);
  });

  const backup = join(root.home, 'Backup اردو.backup');
  await step('makes and checks a backup, exports a workbook', async () => {
    const made = await sims('backup', '--to', backup);
    assert.equal(made.code, 0, made.text);
    assert.equal((await sims('verify')).code, 0);
    assert.equal((await sims('verify', backup)).code, 0);
    assert.equal((await sims('export', '--to', join(root.home, 'students.xlsx'))).code, 0);
    assert.equal(
      readFileSync(root.at(join(root.home, 'students.xlsx')))
        .subarray(0, 2)
        .toString(),
      'PK',
    );
    assert.match((await sims('--help')).text, /^Usage: "\/opt\/Faculty Office .*\/sims" <command>/);
    // The first of the nightly ones.
    assert.equal(existsSync(inData('backups')), true);
  });

  await step('stops, and restores the backup after the student was deleted', async () => {
    await new Api(url, token).send('DELETE', `/api/students/${student.id}`);
    await stop(running);
    const restored = await sims('restore', backup, '--force');
    assert.equal(restored.code, 0, restored.text);
  });

  await step('is updated: unpacked beside, started on the same data, the old folder removed', async () => {
    const before = folder;
    folder = root.unpack(bundle, '/opt/new version');
    renameSync(root.at(before), root.at('/opt/removed'));
    running = start();
    await waitUntilRunning(running);
    // A restore ends every session.
    const again = await new Api(url).post<{ token: string }>('/api/login', { email: user.email, password });
    const record = await (await new Api(url, again.token).send('GET', `/api/students/${student.id}`)).text();
    assert.match(record, /Ayesha/);
    await stop(running);
  });

  await step('refuses a taken port, and a data folder that may not be written, in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert(address !== null && typeof address !== 'string');
    assert.match(await refusal({ PORT: String(address.port) }), /EADDRINUSE.* Set .*PORT/);
    taken.close();
    // Whoever changes the root without being root may write everywhere in it.
    if (process.getuid?.() !== 0) return;
    assert.match(await refusal({ SIMS_DATA_DIR: '/opt/data' }), /data folder \/opt\/data can't be created/);
    mkdirSync(root.at('/opt/data'));
    root.give('/opt/data', 0o500);
    assert.match(await refusal({ SIMS_DATA_DIR: '/opt/data' }), /can't be written/);
  });
}

/** The exit code for what could not be tried here. */
const NOT_TESTED = 77;

const [bundle] = process.argv.slice(2);
assert(bundle !== undefined, 'Name the folder of a bundle.');
const root = new Root(bundle);
process.once('exit', () => root.remove());
if (await root.canBeEntered()) await tryBundle(bundle, root);
else {
  console.log('NOT TESTED: the bundle, since this user may not change the root of a process.');
  process.exitCode = NOT_TESTED;
}
