/** Parses strictly by RFC 4180, to check the product's output against the standard. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? /"(?:[^"]|"")*"/y : /[^",\r\n]*/y;
    cell.lastIndex = at;
    const found = cell.exec(text)?.[0];
    if (found === undefined) throw new Error(`A quote that is never closed at ${at}.`);
    row.push(text[at] === '"' ? found.slice(1, -1).replaceAll('""', '"') : found);
    at += found.length;
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else if (text[at] === ',') at += 1;
    else throw new Error(`Neither a comma nor the end of a line at ${at}.`);
  }
  if (row.length > 0) throw new Error('The last line has no end.');
  return rows;
}
