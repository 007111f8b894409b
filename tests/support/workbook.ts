import { Buffer } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';

/** Files of a ZIP archive by name, found through its directory and verified by checksum. */
export function unzip(archive: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(archive);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    if (bytes.readUInt32LE(at) !== 0x0201_4b50) throw new Error(`Nothing of an archive at ${at}.`);
    const [crc, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field));
    const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    );
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = inflateRawSync(bytes.subarray(start, start + (packed ?? 0)));
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged.`);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#13': '\r' };

/** The text of XML as a spreadsheet shows it. */
const shown = (xml: string) =>
  xml
    .replace(/&([^;]*);/g, (_, name: string) => ENTITIES[name] ?? `?${name}?`)
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const toColumnIndex = (reference: string) => {
  const letters = /^[A-Z]+/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

/** The cells of each sheet in the order of the workbook: texts as texts, numbers and dates as numbers, blanks as null. */
export function readSheets(archive: Uint8Array): { name: string; rows: (string | number | null)[][] }[] {
  const files = unzip(archive);
  const targets = new Map(
    [...(files.get('xl/_rels/workbook.xml.rels') ?? '').matchAll(/Id="(\w+)"[^>]* Target="([^"]+)"/g)].map(
      ([, id, target]) => [id, `xl/${target}`],
    ),
  );
  const sheets = [
    ...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]+)"[^>]* r:id="(\w+)"/g),
  ];
  return sheets.map(([, name = '', id]) => ({
    name,
    rows: readRows(files.get(targets.get(id) ?? '') ?? ''),
  }));
}

function readRows(xml: string): (string | number | null)[][] {
  return [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, cells = '']) => {
    const row: (string | number | null)[] = [];
    for (const [, reference = '', value = ''] of cells.matchAll(/<c r="([A-Z]+\d+)"[^>]*>(.*?)<\/c>/gs)) {
      const text = /^<is><t[^>]*>(.*)<\/t><\/is>$/s.exec(value)?.[1];
      while (row.length < toColumnIndex(reference)) row.push(null);
      row.push(text === undefined ? Number(/^<v>(.*)<\/v>$/.exec(value)?.[1]) : shown(text));
    }
    return row;
  });
}
