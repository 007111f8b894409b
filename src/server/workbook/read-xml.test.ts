import { expect, test } from 'vitest';
import { readXml, type XmlEvent } from './read-xml.ts';

/** The events of a text that comes in these pieces, parts of one text together. */
async function read(...pieces: string[]): Promise<XmlEvent[]> {
  const found: XmlEvent[] = [];
  async function* feed() {
    yield* pieces;
  }
  for await (const events of readXml(feed())) {
    for (const event of events) {
      const last = found.at(-1);
      if (event.kind === 'text' && last?.kind === 'text') last.text += event.text;
      else found.push({ ...event });
    }
  }
  return found;
}

const XML =
  '<?xml version="1.0"?><!-- <no> --><x:row r="3" note="a > b"><v/>1 &lt; 2 &amp;amp; &#x41;&#66;<![CDATA[<c> &amp;]]></x:row>';

test('elements, attributes, texts and entities are read', async () => {
  expect(await read(XML)).toEqual([
    { kind: 'open', name: 'row', attributes: 'r="3" note="a > b"' },
    { kind: 'open', name: 'v', attributes: '' },
    { kind: 'close', name: 'v' },
    { kind: 'text', text: '1 < 2 &amp; AB<c> &amp;' },
    { kind: 'close', name: 'row' },
  ]);
});

test('a document is read alike wherever it is divided', async () => {
  const whole = await read(XML);
  for (let at = 0; at <= XML.length; at += 1) {
    expect(await read(XML.slice(0, at), XML.slice(at)), XML.slice(0, at)).toEqual(whole);
  }
});

test.for(['&constructor;', '&toString;', '&__proto__;', '&nothing;', '&#x110000;'])(
  'the unknown entity %s stays as it is written',
  async (entity) => {
    expect(await read(`<v>${entity}</v>`)).toContainEqual({ kind: 'text', text: entity });
  },
);

test.for(['<v', '<v a="', '<!-- ', '<![CDATA[x]]'])(
  'a document that breaks off in %s is refused',
  async (end) => {
    await expect(read(`<v>1</v>${end}`)).rejects.toThrow('must be a workbook');
  },
);
