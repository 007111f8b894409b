import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { writeXlsx } from 'hucre';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { ZipFile } from 'yazl';
import { importCreatedReply, importRowsReply } from '../../src/contract/imports.ts';
import { studentCreatedReply } from '../../src/contract/students/students.ts';
import { getFieldErrors, type Person } from '../support/app/people.ts';
import { TestApp } from '../support/app/test-app.ts';
import { sqlite } from '../support/database/engines.ts';
import { Connection, processTargets, targets } from '../support/processes/raw-client.ts';
import { aCourse, aStudent } from '../support/records.ts';
import { unzip } from '../support/workbook.ts';

const MIB = 1024 * 1024;
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of one colour. */
function bomb(side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

let largest: Buffer | undefined;
/** 400 megapixels in some fifty kilobytes. Packed once, because that takes long. */
function pictureBomb(): Buffer {
  largest ??= bomb(20_000);
  return largest;
}

const SHEET = 'xl/worksheets/sheet1.xml';

/** A workbook of which one part is replaced, with sizes and checksum as they are. */
async function workbookWith(part: string, content: Iterable<string>): Promise<Uint8Array<ArrayBuffer>> {
  const archive = new ZipFile();
  for (const [name, text] of unzip(await writeXlsx({ sheets: [{ name: 'A', rows: [[50]] }] }))) {
    if (name === part) archive.addReadStream(Readable.from(content), name, { compressionLevel: 1 });
    else archive.addBuffer(Buffer.from(text), name);
  }
  archive.end();
  return Uint8Array.from(await buffer(Readable.from(archive.outputStream)));
}

/** 160 MiB of cells in one, which is more than is unpacked. */
function* cells(): Generator<string> {
  yield '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
  const rows = '<row><c><v>50</v></c></row>'.repeat(40_000);
  for (let i = 0; i < 160; i += 1) yield rows;
  yield '</sheetData></worksheet>';
}
let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
/** Packed once, too. */
function workbookBomb(): Promise<Uint8Array<ArrayBuffer>> {
  packed ??= workbookWith(SHEET, cells());
  return packed;
}
const sparseWorkbook = () =>
  workbookWith(SHEET, [
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>',
    '<row r="1"><c r="A1"><v>50</v></c></row><row r="1048576"><c r="XFD1048576"><v>50</v></c></row>',
    '</sheetData></worksheet>',
  ]);

const photo = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#a40' } });

function entry(picture: Uint8Array, name = 'portrait.png'): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
  form.set('img', new Blob([Uint8Array.from(picture)], { type: 'image/png' }), name);
  return form;
}
const enter = (person: Person, form: FormData) => person.call('POST', '/api/students', { form });

/** Shared by all tests here, which keep to records of their own. */
const shared = targets();

describe.each(shared)('a picture, on $name', ({ test }) => {
  // Covers A59
  test.for<[string, () => Uint8Array]>([
    [
      'a drawing, which may hold a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a page by the name of a picture', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'a moving picture that is a script as well',
      () => Buffer.from('GIF89a/*\x01\x00\x01\x00*/=1;alert(1)', 'latin1'),
    ],
    ['fifty kilobytes that unpack to 400 megapixels', () => pictureBomb()],
    ['the first half of one', () => bomb(64).subarray(0, 45)],
    ['nothing', () => Buffer.alloc(0)],
  ])('that is %s is refused', async ([, make], { admin }) => {
    expect(Object.keys(getFieldErrors(await enter(admin, entry(make()))))).toEqual(['img']);
    const form = new FormData();
    form.set('logo', new Blob([Uint8Array.from(make())]), 'logo.png');
    const logo = await admin.call('PUT', '/api/institution', { form });
    expect(Object.keys(getFieldErrors(logo))).toEqual(['logo']);
  });

  // Covers A59
  test('of more than 5 MiB is refused', async ({ admin }) => {
    expect((await enter(admin, entry(Buffer.alloc(5 * MIB + 1)))).status).toBe(413);
  });

  // Covers A60
  test('is kept without the place it was taken at, or what stands behind it, and shown as nothing else', async ({
    target,
    admin,
  }) => {
    const taken = photo().withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '33/1 38/1 0/1' } });
    const sent = Buffer.concat([await taken.jpeg().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    expect(sent.includes('Exif')).toBe(true);
    const { img } = studentCreatedReply.parse((await enter(admin, entry(sent))).body).student;
    const shown = await admin.get(img ?? '');
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringContaining('filename="picture.jpg"'),
    });
    expect(shown.text).not.toMatch(/Exif|GPS|script/);
    expect((await target.call('GET', img ?? '')).status).toBe(401);
    for (const name of ['..%2fsims.db', '../sims.db', '0'.repeat(64), 'x']) {
      expect((await admin.get(`/api/pictures/${name}`)).status, name).toBe(404);
    }
  });

  // Covers A61
  test('by any name leaves no file, and fields of any name leave no trace', async ({ target, admin }) => {
    const files = () => readdir(target.server.dataDir);
    const before = await files();
    const picture = await photo().png().toBuffer();
    for (const name of [
      '../../app.db',
      '/etc/passwd',
      'x'.repeat(10_000),
      'a\r\nx: y',
      'a"; filename="b',
      '__proto__',
    ]) {
      const form = entry(picture, name);
      for (const field of ['__proto__', 'constructor', 'hasOwnProperty', 'role']) form.set(field, 'admin');
      const answer = await enter(admin, form);
      expect([201, 400, 413, 431], answer.text).toContain(answer.status);
    }
    expect(await files()).toEqual(before);
    expect((await admin.get('/api/users')).text.match(/"role":"admin"/g)).toHaveLength(1);
    const many = entry(picture);
    for (let i = 0; i < 1000; i += 1) many.append(`field_${i}`, 'x');
    expect((await enter(admin, many)).status).toBe(413);
  });
});

// They are refused before they reach the database, so one is enough.
describe.each(shared.slice(0, 1))('marks, on $name', ({ test }) => {
  const upload = async (person: Person, file: string | Uint8Array<ArrayBuffer>) => {
    const course = aCourse();
    await person.post('/api/courses', course);
    const form = new FormData();
    form.set('course_id', String(course.course_id));
    form.set('file', new Blob([file]), 'marks.csv');
    const answer = await person.call('POST', '/api/courses-marks', { form });
    expect((await person.get(`/api/courses/histogram/${course.course_id}`)).body).toEqual(
      answer.status === 201 ? expect.arrayContaining([{ bin: 0, count: expect.any(Number) }]) : [],
    );
    return answer;
  };

  // Covers A63
  test.for<[string, () => string | Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
    ['of one line of 9 MiB', () => 'a'.repeat(9 * MIB)],
    ['of a million quotes', () => '"'.repeat(1_000_000)],
    ['of an odd million of quotes', () => '"'.repeat(999_999)],
    ['of a million blanks before a letter', () => `${' '.repeat(1_000_000)}x`],
    ['of 1 and a million zeros', () => `1${'0'.repeat(1_000_000)}`],
    ['of a million signs', () => '-'.repeat(1_000_000)],
    [
      'that is a packed workbook',
      () => Buffer.from('PK\x03\x04\x14\x00\x06\x00[Content_Types].xml', 'latin1'),
    ],
    ['that are a workbook which unpacks to 160 MiB', () => workbookBomb()],
    ['that are a workbook with a cell in the last row and column', () => sparseWorkbook()],
    ['that is packed', () => Uint8Array.from(deflateSync(Buffer.alloc(10 * MIB, '50,')))],
    ['that are formulas', () => '=1+1,@SUM(A1),+1;cmd'],
    ['that are no numbers', () => 'NaN,Infinity,0x10,1e1,1_0,１'],
  ])('%s are refused as a whole, and everybody else is served', async ([, make], { target, admin }) => {
    const answer = await upload(admin, await make());
    expect(Object.keys(getFieldErrors(answer))).toEqual(['file']);
    expect(answer.text.length).toBeLessThan(10_000);
    expect((await target.call('GET', '/api/health')).status).toBe(200);
  });

  // Covers A63
  test('of a hundred thousand columns are read or refused, and everybody else is served', async ({
    target,
    admin,
  }) => {
    expect([201, 422]).toContain((await upload(admin, '50,'.repeat(100_000))).status);
    expect((await target.call('GET', '/api/health')).status).toBe(200);
  });
});

const uploadImport = async (person: Person, file: string | Uint8Array<ArrayBuffer>, name = 'rows.csv') => {
  const form = new FormData();
  form.set('kind', 'courses');
  form.set('file', new Blob([file]), name);
  return person.call('POST', '/api/imports', { form });
};

// As for marks.
describe.each(shared.slice(0, 1))('a file to import, on $name', ({ test }) => {
  // Covers A63
  test.for<[string, () => string | Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
    ['of one line of 9 MiB', () => 'a'.repeat(9 * MIB)],
    ['of an odd million of quotes', () => `Course ID,Course code\n${'"'.repeat(999_999)}`],
    ['of more than 50,000 rows', () => `Course ID\n${'1\n'.repeat(50_001)}`],
    ['of more than 20 MiB', () => `Course ID\n${'1'.repeat(20 * MIB)}`],
    [
      'that is a packed workbook',
      () => Buffer.from('PK\x03\x04\x14\x00\x06\x00[Content_Types].xml', 'latin1'),
    ],
    ['that is a workbook which unpacks to 160 MiB', () => workbookBomb()],
    ['that is packed', () => Uint8Array.from(deflateSync(Buffer.alloc(10 * MIB, '50,')))],
    ['that is a picture', () => Uint8Array.from(bomb(64))],
  ])('%s is refused, keeps nothing, and everybody else is served', async ([, make], { target, admin }) => {
    const before = (await admin.get('/api/imports')).text;
    const answer = await uploadImport(admin, await make());
    expect(Object.keys(getFieldErrors(answer))).toEqual(['file']);
    expect(answer.text.length).toBeLessThan(10_000);
    expect((await admin.get('/api/imports')).text).toBe(before);
    expect((await target.call('GET', '/api/health')).status).toBe(200);
  });

  // Covers A63
  test('of a million quotes or ten thousand columns is read or refused, and everybody else is served', async ({
    target,
    admin,
  }) => {
    for (const file of ['"'.repeat(1_000_000), `${'Course ID,'.repeat(10_000)}\n${'1,'.repeat(10_000)}\n`]) {
      expect([201, 422]).toContain((await uploadImport(admin, file)).status);
      expect((await target.call('GET', '/api/health')).status).toBe(200);
    }
  });
});

const NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const HEADINGS = ['Course ID', 'Course code', 'Course name']
  .map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  .join('');
const sheetOf = (rows: string) =>
  workbookWith(SHEET, [
    `<worksheet ${NAMESPACE}><sheetData><row r="1">${HEADINGS}</row>${rows}</sheetData></worksheet>`,
  ]);

describe.each(shared.slice(0, 1))('a small workbook, on $name', ({ test }) => {
  // Covers A132
  test.for<[string, () => Promise<Uint8Array<ArrayBuffer>>]>([
    [
      'with a text of a million runs',
      () => sheetOf(`<row><c t="inlineStr"><is>${'<r><t>a</t></r>'.repeat(1_000_000)}</is></c></row>`),
    ],
    [
      'with two million texts',
      () =>
        workbookWith('xl/sharedStrings.xml', [
          `<sst ${NAMESPACE}>${'<si><t>a</t></si>'.repeat(2_000_000)}</sst>`,
        ]),
    ],
    [
      'with cells in the first and the last column of 40,000 rows',
      () =>
        sheetOf(
          times(
            40_000,
            (i) => `<row r="${i + 2}"><c r="A${i + 2}"><v>1</v></c><c r="XFD${i + 2}"><v>1</v></c></row>`,
          ).join(''),
        ),
    ],
    [
      'with formats of 220,000 characters',
      async () => {
        const format = 'yyyy-mm-dd '.repeat(20_000);
        const rows = times(600, () => [new Date(0), new Date(0)]);
        return Uint8Array.from(
          await writeXlsx({
            sheets: [{ name: 'A', rows, columns: times(2, () => ({ style: { numFmt: format } })) }],
          }),
        );
      },
    ],
  ])('%s is read or refused, and the next file is read', async ([, make], { target, admin }) => {
    const answer = await uploadImport(admin, await make(), 'rows.xlsx');
    expect([201, 422]).toContain(answer.status);
    expect((await target.call('GET', '/api/health')).status).toBe(200);
    const next = await uploadImport(admin, 'Course ID,Course code,Course name\n1,ME-1,Statics\n');
    expect(next.status, next.text).toBe(201);
  });

  // Covers A132
  test('with a number that is no date in a cell for dates names the cell, in an import and as marks', async ({
    admin,
  }) => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Course ID', 'Course code', 'Course name'],
            [923_001_234_567, 'ME-1', 'Statics'],
          ],
          columns: [{ style: { numFmt: 'dd/mm/yyyy' } }],
        },
      ],
    });
    const answer = await uploadImport(admin, Uint8Array.from(workbook), 'rows.xlsx');
    const { import_id } = importCreatedReply.parse(answer.body).import;
    const url = `/api/imports/${import_id}`;
    expect((await admin.post(`${url}/preview`, {})).status).toBe(200);
    const { rows } = importRowsReply.parse((await admin.get(`${url}/rows`)).body);
    expect(rows).toMatchObject([{ line: 2, state: 'refused' }]);
    expect(String(rows[0]?.errors.course_id)).toContain('#######');
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(workbook)]), 'marks.xlsx');
    const sheet = await admin.call('POST', '/api/courses-marks/sheet', { form });
    expect([sheet.status, sheet.text.includes('#######')]).toEqual([200, true]);
  });
});

describe.each(shared)('an import, on $name', ({ test }) => {
  // Covers A61
  test.for([
    '../../etc/passwd',
    'C:\\Windows\\rows.csv',
    'a\u202Egpj.csv',
    'a\u0000b\u001b[2J.csv',
    'x'.repeat(5000),
  ])('with the name %j shows a harmless one', async (name, { admin }) => {
    const answer = await uploadImport(admin, 'Course ID,Course code,Course name\n1,ME-1,Statics\n', name);
    expect(answer.status).toBe(201);
    const { file_name } = importCreatedReply.parse(answer.body).import;
    expect(file_name).toMatch(/^[^/\\\p{Cc}\p{Cf}]{1,255}$/u);
  });

  // Covers A48
  test('of fields that only the server works out, or of names of JavaScript, stores none of them', async ({
    admin,
  }) => {
    const headings = [
      'Course ID',
      'Course code',
      'Course name',
      '__proto__',
      'constructor',
      'version',
      'tally',
    ];
    const answer = await uploadImport(admin, `${headings.join()}\n991,ME-1,Statics,x,x,9,[]\n`);
    const { import_id } = importCreatedReply.parse(answer.body).import;
    const url = `/api/imports/${import_id}/preview`;
    for (const field of ['__proto__', 'constructor', 'version', 'tally']) {
      const mapping = JSON.parse(`{"course_id":0,"course_code":1,"course_name":2,"${field}":3}`);
      const refused = await admin.post(url, { mapping });
      expect([400, 422], field).toContain(refused.status);
    }
    expect((await admin.post(url, {})).status).toBe(200);
    expect(({} as Record<string, unknown>).course_id).toBeUndefined();
  });
});

describe.each(shared)('a list for a spreadsheet, on $name', ({ test }) => {
  // Covers A67
  test('has no cell that the spreadsheet would run', async ({ admin }) => {
    const formulas = ['=cmd|calc!A1', '+1+1', '-1-1', '@SUM(A1)', '＝1+1'];
    for (const formula of formulas) {
      const { status } = await admin.post(
        '/api/students',
        aStudent({ first_name: formula, last_name: '"x,"', phone_number: formula }),
      );
      expect(status).toBe(201);
    }
    const { department, degree } = aStudent();
    for (const path of [
      '/api/exports/students.csv',
      `/api/reports/export.csv?report=ranking&department=${department}&degree=${degree}`,
    ]) {
      const { text } = await admin.get(path);
      for (const formula of formulas) expect(text, path).toContain(`'${formula}`);
      expect(text, path).not.toMatch(/(^|[,\n]|")[=+@＝-]/m);
    }
    const rows = ['First name,CMS ID,Phone', ...formulas.map((formula) => `${formula},no id,${formula}`)];
    const sent = await admin.post('/api/imports', { kind: 'students', text: rows.join('\n') });
    const { import_id } = importCreatedReply.parse(sent.body).import;
    expect((await admin.post(`/api/imports/${import_id}/preview`, { mode: 'update' })).status).toBe(200);
    const { text } = await admin.get(`/api/imports/${import_id}/refused.csv`);
    for (const formula of formulas) expect(text).toContain(`'${formula}`);
    expect(text).not.toMatch(/(^|[,\n]|")[=+@＝-]/m);
  });
});

// What is sent meets what is read in two processes only.
describe.each(processTargets().slice(0, 1))('a body', ({ test }) => {
  const start = (path: string, token: string, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

  // Covers A70
  test.for(['gzip', 'br', 'deflate', 'gzip, identity', 'GZIP', 'x'])(
    'packed as %s is refused unopened',
    async (encoding, { target, admin }) => {
      const headers = { 'content-encoding': encoding };
      const body = JSON.stringify({ email: 'a@x.example', password: 'x' });
      expect((await target.call('POST', '/api/login', { body, headers })).status).toBe(415);
      expect(
        (await admin.call('POST', '/api/courses-marks', { form: entry(bomb(64)), headers })).status,
      ).toBe(415);
    },
  );

  // Covers A68
  test.for<[string, string]>([
    ['/api/login', 'application/json'],
    ['/api/students', 'multipart/form-data; boundary=x'],
    ['/api/courses-marks', 'multipart/form-data; boundary=x'],
    ['/api/courses-marks', 'application/json'],
  ])(
    'to %s that says it is a gigabyte is refused before it comes',
    async ([path, type], { target, admin }) => {
      const connection = target.connect();
      await connection.send(
        start(path, admin.token, `content-type: ${type}`, `content-length: ${1024 * MIB}`),
      );
      await expect.poll(() => connection.received).toMatch(/^HTTP\/1\.1 413 /);
      connection.close();
    },
  );

  // Covers A68
  test.for<[string, string, string]>([
    ['/api/login', 'application/json', ''],
    [
      '/api/courses-marks',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
    ],
  ])(
    'to %s without an end is refused when it is too long, and read no further',
    async ([path, type, head], { target, admin }) => {
      const connection = target.connect();
      await connection.send(start(path, admin.token, `content-type: ${type}`, 'transfer-encoding: chunked'));
      const piece = (data: Buffer | string) =>
        Buffer.concat([
          Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n`),
          Buffer.from(data),
          Buffer.from('\r\n'),
        ]);
      if (head !== '') await connection.send(piece(head));
      const mebibyte = piece(Buffer.alloc(MIB, '1'));
      while (connection.sent < 1024 * MIB && connection.received === '' && (await connection.send(mebibyte)));
      await expect.poll(() => connection.received).toMatch(/^HTTP\/1\.1 413 /);
      // The limit, plus what the socket buffers between the two hold.
      expect(connection.sent).toBeLessThan(96 * MIB);
      connection.close();
      expect((await target.call('GET', '/api/health')).status).toBe(200);
    },
  );

  // Covers A69
  test('or headers that come a byte at a time are given up', async ({ onTestFinished }) => {
    const app = await TestApp.open(sqlite);
    onTestFinished(() => app.close());
    const { server } = app.app;
    expect([server.requestTimeout, server.headersTimeout]).toEqual([120_000, 10_000]);
    // Shorter than in production, so that the test is fast.
    server.requestTimeout = 1000;
    server.headersTimeout = 1000;
    const url = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }));
    const slow = [
      'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
      'GET /api HTTP/1.1\r\nx: ',
    ].map(async (begin) => {
      const connection = Connection.to(url);
      await connection.send(begin);
      const drip = setInterval(() => void connection.send('x'), 100);
      const answers = await connection.answers();
      clearInterval(drip);
      return answers;
    });
    for (const answers of await Promise.all(slow)) expect(answers).toMatch(/^HTTP\/1\.1 408 /);
  });
});
