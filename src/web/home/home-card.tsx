import { Link } from '@tanstack/react-router';
import { ArrowUpRight, Pause, Play } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { SAMPLE_COUNT } from './sample-data.ts';
import './home.css';

interface CardStyle extends CSSProperties {
  '--n': number;
}

interface HomeCardProps {
  /** Its place in the row; the second enters after the first. */
  index: number;
  to: '/courses' | '/students';
  title: string;
  text: string;
  /** What the chart's axes are, e.g. 'GPA by semester'. */
  axes: string;
  sample: number;
  isPaused: boolean;
  onPause: (paused: boolean) => void;
  children: ReactNode;
}

export function HomeCard({
  index,
  to,
  title,
  text,
  axes,
  sample,
  isPaused,
  onPause,
  children,
}: HomeCardProps) {
  const style: CardStyle = { '--n': index };
  const Icon = isPaused ? Play : Pause;
  return (
    <article style={style} className="home-card card-link flex flex-col gap-4.5 px-4.5 pt-5.5 pb-4 md:px-6">
      <div className="flex justify-between gap-4">
        <div className="min-w-0 wrap-break-word">
          <h2 className="text-[1.125rem] leading-6">
            <Link to={to}>{title}</Link>
          </h2>
          <p className="text-fg-2">{text}</p>
        </div>
        <ArrowUpRight
          className="home-arrow mt-0.75 size-4.5 shrink-0 text-fg-3"
          strokeWidth={1.75}
          aria-hidden="true"
        />
      </div>
      {children}
      <div className="flex flex-wrap items-center gap-2.5 border-line border-t pt-2.5 text-caption text-fg-3">
        <span>
          Sample data<span className="max-md:hidden">, {axes}</span>
        </span>
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
          <Icon strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
    </article>
  );
}
