import { DraftingCompass } from 'lucide-react';
import type { ReactNode } from 'react';
import './auth.css';

interface AuthLayoutProps {
  title: string;
  text: string;
  /** The side of the form on wide screens. */
  side?: 'start' | 'end';
  children: ReactNode;
}

/** The layout of the pages for signed-out visitors: a form next to the drawing. */
export function AuthLayout({ title, text, side = 'start', children }: AuthLayoutProps) {
  return (
    <div className="auth" data-side={side}>
      <main id="main" tabIndex={-1} className="auth-side">
        <div className="auth-form flex w-full max-w-94 flex-col gap-4.5">
          <p className="mb-3.5 flex items-center gap-2.5 font-semibold text-fg-2 text-label">
            <DraftingCompass className="size-5 text-ink-text" />
            Student Information Management System
          </p>
          <div>
            <h1>{title}</h1>
            <p className="wrap-anywhere mt-0.5 mb-1.5 text-fg-2">{text}</p>
          </div>
          {children}
        </div>
      </main>
      <div className="auth-art" aria-hidden="true">
        <AuthIllustration />
        <TitleBlock />
      </div>
    </div>
  );
}

/** The title block in the corner of the drawing. */
function TitleBlock() {
  return (
    <div className="absolute end-8 bottom-8 grid min-w-85 grid-cols-[1fr_auto] border border-blueprint-line bg-blueprint text-label *:px-3.5 *:py-2.25 max-lg:hidden">
      <b className="col-span-full border-blueprint-line border-b font-semibold text-section">
        Student Information Management System
      </b>
      <span className="text-on-blueprint-2">Staff records</span>
      <span className="border-blueprint-line border-s text-on-blueprint-2">EE · CE · ME · MTS</span>
    </div>
  );
}

/** Students per bucket of ten marks, the data of the drawing. */
const COUNTS = [2, 5, 9, 16, 27, 38, 46, 35, 20, 8];

/** Width, height, baseline, x of mark 0, width of one mark, height of one student. */
const SHEET = { width: 840, height: 900, grid: 12, base: 600, zero: 120, mark: 6, student: 7.2 };

const all = COUNTS.reduce((sum, count) => sum + count, 0);
const mean = COUNTS.reduce((sum, count, i) => sum + count * (i * 10 + 5), 0) / all;
const sd = Math.sqrt(COUNTS.reduce((sum, count, i) => sum + count * (i * 10 + 5 - mean) ** 2, 0) / all);

const x = (mark: number) => SHEET.zero + mark * SHEET.mark;
const y = (students: number) => SHEET.base - students * SHEET.student;

/** The grid lines of graph paper, as one path. */
function squares(step: number): string {
  const size = Math.max(SHEET.width, SHEET.height);
  const steps = Array.from({ length: size / step + 1 }, (_, i) => i * step);
  return steps.map((at) => `M${at} 0V${size}M0 ${at}H${size}`).join('');
}

/** The normal curve with the same mean and deviation, slightly higher than the highest bar. */
function bell(): string {
  const peak = Math.max(...COUNTS) * 1.02;
  const marks = Array.from({ length: 53 }, (_, i) => i * 2 - 2);
  const points = marks.map((mark) => {
    const height = peak * Math.exp(-(((mark - mean) / sd) ** 2) / 2);
    return `${x(mark)} ${y(height).toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

/** Decorative drawing: the marks of a course with mean and deviation. */
function AuthIllustration() {
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
