/// <reference path="./bidi-js.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import bidiFactory from 'bidi-js';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'semibold';

/**
 * A font file: the typeface of the product in its parts, and others for Arabic script. These have a glyph of its own for each
 * letter, so that text is read out of the PDF as it was written; fonts that put letters together from strokes and dots garble it.
 */
interface Face {
  /** The name by which the PDF library knows it. */
  name: string;
  /** Opened once: its caches serve the next document too. */
  font: Font;
  isArabic: boolean;
  has(codePoint: number): boolean;
}

/** Vazirmatn matches the typeface of the product; Scheherazade has the letters of Sindhi too. */
const ARABIC = ['vazirmatn', 'scheherazade-new'];

const FILES: Record<Weight, readonly string[]> = {
  regular: fileNames(400),
  semibold: fileNames(600),
};

function fileNames(weight: number): string[] {
  return [
    ...['latin', 'latin-ext', 'vietnamese'].map(
      (part) => `@fontsource/hanken-grotesk/files/hanken-grotesk-${part}-${weight}-normal.woff`,
    ),
    ...ARABIC.map((font) => `@fontsource/${font}/files/${font}-arabic-${weight}-normal.woff`),
  ];
}

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<Weight, Face[]>();

/** The faces of a weight in the order in which they are tried. Read once per thread. */
export function getFaces(weight: Weight): readonly Face[] {
  const known = loaded.get(weight);
  if (known !== undefined) return known;
  const faces = FILES[weight].map((file, i): Face => {
    const font = create(unpackWoff(readFileSync(resolve(file))));
    if (!('characterSet' in font)) throw new Error(`${file} is no single font.`);
    const covered = new Set(font.characterSet);
    return {
      name: `${weight} ${i}`,
      font,
      isArabic: ARABIC.some((name) => file.includes(name)),
      has: (codePoint) => covered.has(codePoint),
    };
  });
  loaded.set(weight, faces);
  return faces;
}

/** Part of a text that is drawn in one go. */
export interface TextRun {
  text: string;
  /** The name of its face. */
  face: string;
  /** The run has letters that join, so it has to be shaped as a whole. */
  isRightToLeft: boolean;
}

const bidi = bidiFactory();
/** Hebrew, Arabic and its presentation forms; everything else runs from left to right here. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const JOINING = /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufeff]/;
/** Marks that say how characters are drawn and are not drawn themselves. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Drawn for a character that no face has. */
const SUBSTITUTE = '?';

/** All Arabic letters of a text are of one face, since they join: the first that has all of them, or else the last. */
function facesFor(text: string, weight: Weight): readonly Face[] {
  const all = getFaces(weight);
  if (!JOINING.test(text)) return all;
  const letters = [...text].filter((character) => JOINING.test(character));
  const arabic = all.filter(({ isArabic }) => isArabic);
  const chosen =
    arabic.find(({ has }) => letters.every((letter) => has(letter.codePointAt(0) ?? 0))) ?? arabic.at(-1);
  return all.filter((face) => !face.isArabic || face === chosen);
}

/**
 * A text in the order in which it is drawn from left to right.
 *
 * @param onMissing called with each character that no face has
 */
export function toRuns(
  text: string,
  weight: Weight,
  onMissing: (character: string) => void = () => {},
): TextRun[] {
  const visible = text.normalize('NFC');
  const faces = facesFor(visible, weight);
  const first = faces[0]?.name ?? '';
  const hasDirections = RIGHT_TO_LEFT.test(visible);
  const found = hasDirections ? bidi.getEmbeddingLevels(visible) : undefined;
  const mirrored = found && bidi.getMirroredCharactersMap(visible, found.levels);
  const runs: (TextRun & { level: number })[] = [];
  let place = 0;
  for (const character of visible) {
    const level = found?.levels[place] ?? 0;
    const drawn = mirrored?.get(place) ?? character;
    place += character.length;
    const codePoint = drawn.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    // A space between two words of another face stays with them.
    const face =
      drawn === ' ' && last?.level === level ? last.face : faces.find(({ has }) => has(codePoint))?.name;
    if (face === undefined && INVISIBLE.test(drawn)) continue;
    if (face === undefined) onMissing(character);
    const shown = face === undefined ? SUBSTITUTE : drawn;
    if (last !== undefined && last.face === (face ?? first) && last.level === level) last.text += shown;
    else runs.push({ text: shown, face: face ?? first, level, isRightToLeft: false });
  }
  return inVisualOrder(runs).map(({ text: own, face, level }) => {
    const isReversed = level % 2 === 1;
    const joins = JOINING.test(own);
    // Letters that join are reversed when they are shaped, others here.
    return { text: isReversed && !joins ? [...own].reverse().join('') : own, face, isRightToLeft: joins };
  });
}

/** Rule L2 of the Unicode bidirectional algorithm, on whole runs. */
function inVisualOrder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      if ((ordered[start]?.level ?? 0) < level) continue;
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level && end < ordered.length) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;

/**
 * The font of a WOFF 1.0 file, uncompressed (https://www.w3.org/TR/WOFF/). The font library reads both, but unpacks a table of a
 * WOFF file again for each letter.
 */
function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is no WOFF file.');
  const count = woff.readUInt16BE(12);
  const exponent = Math.floor(Math.log2(count));
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  header.writeUInt16BE(16 * 2 ** exponent, 6);
  header.writeUInt16BE(exponent, 8);
  header.writeUInt16BE(16 * count - 16 * 2 ** exponent, 10);
  const tables: Buffer[] = [];
  let offset = header.length;
  for (let i = 0; i < count; i += 1) {
    const entry = HEADER_BYTES + i * ENTRY_BYTES;
    const start = woff.readUInt32BE(entry + 4);
    const packedLength = woff.readUInt32BE(entry + 8);
    const length = woff.readUInt32BE(entry + 12);
    const packed = woff.subarray(start, start + packedLength);
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    (packedLength < length ? inflateSync(packed) : packed).copy(table);
    const position = 12 + 16 * i;
    woff.copy(header, position, entry, entry + 4);
    woff.copy(header, position + 4, entry + 16, entry + 20);
    header.writeUInt32BE(offset, position + 8);
    header.writeUInt32BE(length, position + 12);
    tables.push(table);
    offset += table.length;
  }
  return Buffer.concat([header, ...tables]);
}
