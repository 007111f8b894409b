import { notAWorkbook } from './archive.ts';

/** The name of an XML element without its prefix, and its attributes as they are written. */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: string }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** Characters of a tag; the longest of a workbook have a few hundred, or a number format. */
const MAX_TAG_LENGTH = 1_000_000;
const MAX_ENTITY_LENGTH = 64;
const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Replaces the five entities of XML and numbers of characters. A document can't declare others. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

const PATTERNS = new Map<string, RegExp>();

/** The value of an attribute, by its name without a prefix. */
export function getAttribute(attributes: string, name: string): string | undefined {
  let pattern = PATTERNS.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
    PATTERNS.set(name, pattern);
  }
  const found = pattern.exec(attributes);
  return found === null ? undefined : decodeEntities(found[1] ?? found[2] ?? '');
}

/**
 * Reads XML piece by piece. Texts come in any number of parts. Comments, instructions and declarations are left out.
 *
 * @throws UnreadableWorkbook when it breaks off
 */
export async function* readXml(pieces: AsyncIterable<string>): AsyncGenerator<XmlEvent[]> {
  let rest = '';
  for await (const piece of pieces) {
    const events: XmlEvent[] = [];
    rest = readPiece(rest + piece, events);
    if (rest.length > MAX_TAG_LENGTH) throw notAWorkbook();
    yield events;
  }
  if (rest.trim() !== '') throw notAWorkbook();
}

/** Adds the events of a text. @returns what is left of it, since it is not complete */
function readPiece(xml: string, events: XmlEvent[]): string {
  for (let at = 0; ; ) {
    const tag = xml.indexOf('<', at);
    if (tag !== at) {
      const end = tag === -1 ? endOfText(xml, at) : tag;
      if (end > at) events.push({ kind: 'text', text: decodeEntities(xml.slice(at, end)) });
      if (tag === -1) return xml.slice(end);
    }
    const end = endOfMarkup(xml, tag);
    if (end === -1) return xml.slice(tag);
    addMarkup(xml.slice(tag, end), events);
    at = end;
  }
}

/** Where a text ends of which more may follow: before an entity that is not complete. */
function endOfText(xml: string, at: number): number {
  const entity = xml.lastIndexOf('&');
  const isComplete = entity < at || xml.length - entity > MAX_ENTITY_LENGTH || xml.includes(';', entity);
  return isComplete ? xml.length : entity;
}

/** The position after a tag, comment or declaration; -1 if it is not complete. */
function endOfMarkup(xml: string, at: number): number {
  const find = (end: string) => {
    const found = xml.indexOf(end, at);
    return found === -1 ? -1 : found + end.length;
  };
  if (xml.startsWith('<!--', at)) return find('-->');
  if (xml.startsWith('<![CDATA[', at)) return find(']]>');
  if (xml.startsWith('<?', at)) return find('?>');
  // It may be the beginning of one of these.
  if (xml.startsWith('<!', at) && xml.length - at < 9) return -1;
  for (let end = at + 1; end < xml.length; end += 1) {
    const character = xml[end];
    if (character === '>') return end + 1;
    if (character !== '"' && character !== "'") continue;
    end = xml.indexOf(character, end + 1);
    if (end === -1) return -1;
  }
  return -1;
}

function addMarkup(markup: string, events: XmlEvent[]): void {
  if (markup.startsWith('<![CDATA[')) events.push({ kind: 'text', text: markup.slice(9, -3) });
  if (markup.startsWith('<!') || markup.startsWith('<?')) return;
  if (markup.startsWith('</')) {
    events.push({ kind: 'close', name: withoutPrefix(markup.slice(2, -1).trim()) });
    return;
  }
  const isEmpty = markup.endsWith('/>');
  const content = markup.slice(1, isEmpty ? -2 : -1);
  const space = content.search(/\s/);
  const name = withoutPrefix(space === -1 ? content : content.slice(0, space));
  events.push({ kind: 'open', name, attributes: space === -1 ? '' : content.slice(space + 1) });
  if (isEmpty) events.push({ kind: 'close', name });
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1);
