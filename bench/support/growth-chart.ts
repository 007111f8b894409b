/** Times of one request per size: milliseconds by number of students. */
export interface Line {
  name: string;
  alone: ReadonlyMap<number, number>;
  together: ReadonlyMap<number, number>;
}

export interface Panel {
  title: string;
  lines: readonly Line[];
}

const WIDTH = 1080;
const PANEL = { width: 300, height: 250, gap: 52, left: 54, top: 92 } as const;
const LEGEND = { top: 390, line: 19 } as const;
/** Milliseconds marked by a grid line. */
const MARKS = [0.1, 1, 10, 100, 1_000, 10_000] as const;
/** Distinguishable on a light and on a dark page. */
const COLOURS = ['#3f7fd9', '#d9742b', '#1f9d74', '#a565d6', '#c94f74', '#9a8420'] as const;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #3b4252; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #667085; font-size: 12px; }
  .across { stroke: #98a2b3; stroke-opacity: .35; }
  @media (prefers-color-scheme: dark) {
    text { fill: #d5dae3; } text.quiet, tspan.quiet { fill: #a3adbd; } .across { stroke-opacity: .3; }
  }`;

const short = (students: number) => (students >= 1e6 ? `${students / 1e6}M` : `${students / 1e3}k`);
const round = (n: number) => Number(n.toFixed(1));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A chart of request times by size, both axes logarithmic: a horizontal line means no growth. */
export function growthChart(panels: readonly Panel[], sizes: readonly number[], note: string): string {
  const times = panels
    .flatMap(({ lines }) => lines.flatMap((one) => [...one.alone.values(), ...one.together.values()]))
    .filter(Number.isFinite);
  const low = Math.log10(MARKS.findLast((mark) => mark <= Math.min(...times)) ?? MARKS[0]);
  const high = Math.log10(MARKS.find((mark) => mark >= Math.max(...times)) ?? 10_000);
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)].map((size) => Math.log10(size ?? 1));
  const y = (ms: number) => PANEL.top + PANEL.height * (1 - (Math.log10(ms) - low) / (high - low));
  const x = (panel: number, size: number) =>
    PANEL.left +
    panel * (PANEL.width + PANEL.gap) +
    (PANEL.width * (Math.log10(size) - first)) / (last - first);
  const points = (panel: number, by: ReadonlyMap<number, number>) =>
    [...by]
      .filter(([, ms]) => Number.isFinite(ms))
      .map(([size, ms]) => `${round(x(panel, size))},${round(y(ms))}`)
      .join(' ');

  const ends = (by: ReadonlyMap<number, number>) => {
    const ms = by.get(sizes.at(-1) ?? 0) ?? Number.NaN;
    return ms.toFixed(ms < 10 ? 1 : 0);
  };

  const drawn = panels.map(({ title, lines }, panel) => {
    const left = x(panel, sizes[0] ?? 1);
    const across = MARKS.filter((mark) => Math.log10(mark) >= low && Math.log10(mark) <= high).map(
      (mark) =>
        `<line class="across" x1="${left}" x2="${left + PANEL.width}" y1="${round(y(mark))}" y2="${round(y(mark))}"/>` +
        `<text class="quiet" x="${left - 8}" y="${round(y(mark) + 4)}" text-anchor="end">${mark}</text>`,
    );
    const below = sizes.map(
      (size) =>
        `<text class="quiet" x="${round(x(panel, size))}" y="${PANEL.top + PANEL.height + 20}" text-anchor="middle">${short(size)}</text>`,
    );
    const curves = lines.map(({ name, alone, together }, i) => {
      const colour = COLOURS[i % COLOURS.length];
      const legend = LEGEND.top + i * LEGEND.line;
      return `<g stroke="${colour}" fill="none" stroke-width="2">
        <polyline points="${points(panel, alone)}"/><polyline points="${points(panel, together)}" stroke-dasharray="4 4"/>
        <line x1="${left}" x2="${left + 18}" y1="${legend - 4}" y2="${legend - 4}" stroke-width="3"/></g>
        <text x="${left + 26}" y="${legend}">${escaped(name)} <tspan class="quiet">${ends(alone)} / ${ends(together)}</tspan></text>`;
    });
    return [
      `<text class="title" x="${left}" y="${PANEL.top - 16}">${escaped(title)}</text>`,
      ...across,
      ...below,
      ...curves,
    ].join('\n');
  });
  const height = LEGEND.top + Math.max(...panels.map(({ lines }) => lines.length)) * LEGEND.line + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t">
<title id="t">Milliseconds that calls of the list take, from ${short(sizes[0] ?? 0)} to ${short(sizes.at(-1) ?? 0)} students</title>
<style>${STYLE}</style>
<text class="quiet" x="${PANEL.left}" y="24">Milliseconds by number of students. Solid: one user, median. Dashed: 16 concurrent users, 99th percentile; behind each name at ${short(sizes.at(-1) ?? 0)}.</text>
<text class="quiet" x="${PANEL.left}" y="42">${escaped(note)}</text>
${drawn.join('\n')}
</svg>
`;
}
