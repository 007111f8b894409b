import sharp from 'sharp';
import { fillFaculty } from '../../src/server/seed/fill-faculty.ts';
import { type Person, TestApp } from './app.ts';
import type { Engine, TestDatabase } from './engines.ts';
import { aCourse, aFamily, aSemester, aStudent } from './records.ts';

export interface Installation {
  database: TestDatabase;
  admin: Person;
  /** A student who has been deleted, and had the results that were entered last. */
  deleted: string;
  /** The address of a portrait. */
  portrait: string;
  course: number;
}

/** A small faculty with something in every table, and its people's accounts. Nobody has it open. */
export async function anInstallation(engine: Engine): Promise<Installation> {
  const database = await engine.prepare();
  const app = await TestApp.open(engine, { database });
  try {
    await fillFaculty(app.db.write, { students: 40, seed: 5, intakes: 6 });
    const admin = await app.register({ name: 'Zoë "Admin" محمد 🎓' });
    const portrait = await enterWithPortrait(admin);

    const deleted = aStudent({ id: 'GONE', reason: 'A long story. '.repeat(300).slice(0, 200) });
    const calls: [string, string, unknown][] = [
      ['POST', '/api/students', deleted],
      ['POST', '/api/students/family', aFamily('GONE')],
      ...[1, 2].map((semester): [string, string, unknown] => [
        'POST',
        '/api/students/academics',
        aSemester('GONE', semester, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
      ]),
      ['DELETE', '/api/students/GONE', undefined],
      ['POST', '/api/views', { name: 'Low', view: { cgpa_below: 2 } }],
    ];
    const course = aCourse();
    calls.push(['POST', '/api/courses', course]);
    for (const marks of ['1,2,3', '4,5,6,7']) {
      calls.push(['POST', '/api/courses-marks', { course_id: course.course_id, marks }]);
    }
    for (const [i, [method, url, body]] of calls.entries()) {
      const answer = await admin.call(method, url, { body, headers: { 'idempotency-key': `call-${i}` } });
      if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
    }
    const move = { action: 'syndicate', syn: 'C', filter: {} };
    const preview = await admin.post('/api/students/bulk/preview', move);
    const { fingerprint } = preview.body as { fingerprint: string };
    const moved = await admin.post('/api/students/bulk', { ...move, fingerprint });
    if (moved.status !== 201) throw new Error(moved.text);
    await app.call('POST', '/api/login', { body: { email: admin.user.email, password: 'not it' } });
    await app.db.write
      .insertInto('password_resets')
      .values({ token_hash: 'a'.repeat(64), user_id: admin.user.id, expires_at: '2999-01-01T00:00:00.000Z' })
      .execute();
    // Begun and not confirmed: the administrator's password alone still lets in.
    const begun_at = new Date().toISOString();
    await app.db.write
      .insertInto('second_factors')
      .values({ user_id: admin.user.id, secret: 'JBSWY3DPEHPK3PXP', begun_at, failures: 0 })
      .execute();
    await app.db.write
      .insertInto('recovery_codes')
      .values({ code_hash: 'b'.repeat(64), user_id: admin.user.id })
      .execute();
    await app.db.write
      .insertInto('identities')
      .values({ issuer: 'https://id.example', subject: 's', user_id: admin.user.id, linked_at: begun_at })
      .execute();
    return { database, admin, deleted: 'GONE', portrait, course: course.course_id };
  } finally {
    await app.close();
  }
}

async function enterWithPortrait(admin: Person): Promise<string> {
  const form = new FormData();
  for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
  const picture = sharp({ create: { width: 90, height: 120, channels: 3, background: '#0a5' } });
  form.set('img', new Blob([Uint8Array.from(await picture.jpeg().toBuffer())]), 'portrait.jpg');
  const answer = await admin.call('POST', '/api/students', { form });
  const { student } = answer.body as { student?: { img: string } };
  if (student === undefined) throw new Error(answer.text);
  return student.img;
}
