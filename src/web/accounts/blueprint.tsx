/** Students per bucket of ten marks: the drawing shows the distribution that they make. */
const COUNTS = [2, 5, 9, 16, 27, 38, 46, 35, 20, 8];

/** Width, height, baseline, the place of mark 0, and the size of one mark and one student. */
const SHEET = { width: 840, height: 900, grid: 12, base: 600, zero: 120, mark: 6, student: 7.2 };

const all = COUNTS.reduce((sum, count) => sum + count, 0);
const mean = COUNTS.reduce((sum, count, i) => sum + count * (i * 10 + 5), 0) / all;
const sd = Math.sqrt(COUNTS.reduce((sum, count, i) => sum + count * (i * 10 + 5 - mean) ** 2, 0) / all);

const x = (mark: number) => SHEET.zero + mark * SHEET.mark;
const y = (students: number) => SHEET.base - students * SHEET.student;

/** The lines of squared paper, as one path. */
function squares(step: number): string {
  const size = Math.max(SHEET.width, SHEET.height);
  const steps = Array.from({ length: size / step + 1 }, (_, i) => i * step);
  return steps.map((at) => `M${at} 0V${size}M0 ${at}H${size}`).join('');
}

/** The normal curve of the same mean and deviation, a little higher than the highest bar. */
function bell(): string {
  const peak = Math.max(...COUNTS) * 1.02;
  const marks = Array.from({ length: 53 }, (_, i) => i * 2 - 2);
  const points = marks.map((mark) => {
    const height = peak * Math.exp(-(((mark - mean) / sd) ** 2) / 2);
    return `${x(mark)} ${y(height).toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

/** The drawing beside the form: marks of a course with their mean and deviation. A decoration. */
export function Blueprint() {
  const [from, to] = [x(mean - sd), x(mean + sd)];
  return (
    <svg
      viewBox={`0 0 ${SHEET.width} ${SHEET.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path className="blueprint-minor" d={squares(SHEET.grid)} />
      <path className="blueprint-major" d={squares(SHEET.grid * 5)} />
      {COUNTS.map((count, i) => (
        <rect
          key={x(i)}
          className="blueprint-bar"
          x={x(i * 10) + 8}
          y={y(count)}
          width="44"
          height={count * SHEET.student}
        />
      ))}
      <path className="blueprint-line" d={bell()} strokeWidth="2" />
      <path className="blueprint-line" d={`M${x(-4)} ${SHEET.base}H${x(108)}`} />
      {Array.from({ length: 11 }, (_, i) => i * 10).map((mark) => (
        <g key={mark}>
          <path className="blueprint-line" d={`M${x(mark)} ${SHEET.base}v8`} />
          <text className="blueprint-text" x={x(mark)} y={SHEET.base + 26}>
            {mark}
          </text>
        </g>
      ))}
      <path className="blueprint-line" d={`M${x(mean)} ${SHEET.base}V196`} strokeDasharray="8 5" />
      <path className="blueprint-line" d={`M${from} 200v28M${to} 200v28M${from} 214H${to}`} />
      <path className="fill-blueprint-line" d={`M${from} 214l11-4.5v9zM${to} 214l-11-4.5v9z`} />
      <text className="blueprint-text" x={x(mean)} y="184">
        Mean {mean.toFixed(1)}, SD {sd.toFixed(1)}
      </text>
    </svg>
  );
}
