import { Link } from '@tanstack/react-router';
import { ArrowUpRight, Pause, Play } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { BINS } from '../../domain/statistics.ts';
import { Histogram } from '../charts/histogram-chart.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { IconButton } from '../ui/button.tsx';
import { SAMPLE_COUNT, SAMPLE_GPAS, SAMPLE_MARKS, SAMPLE_TOP } from './sample-data.ts';

const REFRESH_MS = 2000;
const NONE: readonly number[] = [];

/** The two ways into the records, each beside a chart of sample data that changes every two seconds. */
export function SampleCards() {
  const { index, isPaused, setIsPaused } = useCycle(SAMPLE_COUNT, REFRESH_MS);
  const marks = useAnimatedValues(SAMPLE_MARKS[index] ?? NONE);
  const gpas = useAnimatedValues(SAMPLE_GPAS[index] ?? NONE);
  const card = { sample: index, isPaused, onPause: setIsPaused };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:max-lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <HomeCard
        {...card}
        index={0}
        to="/courses"
        title="Manage Courses"
        text="Catalogue, marks and distributions"
      >
        <Histogram
          label="Sample marks"
          bins={BINS.map((bin, i) => ({ bin, count: marks[i] ?? 0 }))}
          top={SAMPLE_TOP}
          areaClass="home-plot"
        />
      </HomeCard>
      <HomeCard
        {...card}
        index={1}
        to="/students"
        title="Manage Students"
        text="Records, family details and results"
      >
        <LineChart label="Sample GPA over eight semesters" values={gpas} areaClass="home-plot" />
      </HomeCard>
    </div>
  );
}

interface CardStyle extends CSSProperties {
  '--n': number;
}

interface HomeCardProps {
  /** Its index; cards animate in one after another. */
  index: number;
  to: '/courses' | '/students';
  title: string;
  text: string;
  sample: number;
  isPaused: boolean;
  onPause: (paused: boolean) => void;
  children: ReactNode;
}

function HomeCard({ index, to, title, text, sample, isPaused, onPause, children }: HomeCardProps) {
  const style: CardStyle = { '--n': index };
  const Icon = isPaused ? Play : Pause;
  return (
    <article style={style} className="home-card card-link flex flex-col gap-2.5 px-4.5 pt-4 pb-2.5">
      <div className="flex justify-between gap-4">
        <div className="min-w-0 wrap-break-word">
          <h2 className="text-[1.125rem] leading-6">
            <Link to={to}>{title}</Link>
          </h2>
          <p className="text-fg-2">{text}</p>
        </div>
        <ArrowUpRight className="home-arrow mt-0.75 size-4.5 shrink-0 text-fg-3" />
      </div>
      {children}
      <div className="flex flex-wrap items-center gap-2.5 border-line border-t pt-2.5 text-caption text-fg-3">
        <span>Sample data</span>
        <span className="flex gap-1" aria-hidden="true">
          {Array.from({ length: SAMPLE_COUNT }, (_, i) => i).map((i) => (
            <i key={i} className={`h-0.75 w-3 rounded-[2px] ${i === sample ? 'bg-ink' : 'bg-line-2'}`} />
          ))}
        </span>
        <IconButton
          label="Pause the sample charts"
          aria-pressed={isPaused}
          onClick={() => onPause(!isPaused)}
          className="relative z-1 ms-auto"
        >
          <Icon />
        </IconButton>
      </div>
    </article>
  );
}

/** Cycles through 0 … count - 1, one step every `milliseconds` unless paused. Starts paused under reduced motion. */
function useCycle(count: number, milliseconds: number) {
  const [index, setIndex] = useState(0);
  const [isPaused, setIsPaused] = useState(prefersReducedMotion);
  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => setIndex((now) => (now + 1) % count), milliseconds);
    return () => clearInterval(timer);
  }, [isPaused, count, milliseconds]);
  return { index, isPaused, setIsPaused };
}

function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const DURATION_MS = 600;

/** Animates from the old values to the new ones within 0.6 s; jumps under reduced motion. */
function useAnimatedValues(target: readonly number[]): readonly number[] {
  const [shown, setShown] = useState(target);
  const now = useRef(target);

  useEffect(() => {
    const from = now.current;
    if (from === target) return;
    const startedAt = performance.now();
    let frame = 0;
    const step = (time: number) => {
      const elapsed = prefersReducedMotion() ? 1 : Math.min((time - startedAt) / DURATION_MS, 1);
      const eased = easeInOut(Math.max(elapsed, 0));
      now.current =
        elapsed === 1 ? target : target.map((to, i) => (from[i] ?? to) + (to - (from[i] ?? to)) * eased);
      setShown(now.current);
      if (elapsed < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target]);

  return shown;
}

function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2;
}
