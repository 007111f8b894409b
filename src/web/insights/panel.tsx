import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { hasLoadProblem, LoadProblem } from '../shell/load-problem.tsx';

interface PanelProps<Figures> {
  title: string;
  text: string;
  /** What chooses the figures, at the right. */
  controls?: ReactNode;
  query: UseQueryResult<Figures>;
  /** While the figures are on their way. */
  skeleton: ReactNode;
  /** Said where the figures are of nothing. */
  none: string;
  isNone: (figures: Figures) => boolean;
  /** The controls say already what is wrong. */
  isRefused?: boolean;
  children: (figures: Figures) => ReactNode;
}

/** Figures under a heading, with what stands there before, without and instead of them. */
export function Panel<Figures>({ title, text, controls, query, ...rest }: PanelProps<Figures>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 border-line border-t py-7">
      <div className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_min(280px,100%)]">
          <h2 id={id}>{title}</h2>
          <p className="mt-1 max-w-[68ch] text-fg-3 text-label">{text}</p>
        </div>
        {controls}
      </div>
      <PanelBody query={query} {...rest} />
    </section>
  );
}

type PanelBodyProps<Figures> = Omit<PanelProps<Figures>, 'title' | 'text' | 'controls'>;

function PanelBody<Figures>({ query, skeleton, none, isNone, isRefused, children }: PanelBodyProps<Figures>) {
  if (query.data === undefined) {
    if (isRefused) return null;
    if (hasLoadProblem({ query })) return <LoadProblem query={query} />;
    return (
      <div aria-hidden="true" inert>
        {skeleton}
      </div>
    );
  }
  if (isNone(query.data)) {
    return (
      <p className="grid min-h-26 place-items-center rounded-control border border-line-2 border-dashed px-4 text-center text-fg-3 text-label">
        {none}
      </p>
    );
  }
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className="transition-opacity duration-(--t-fast) aria-busy:opacity-60"
    >
      <LoadProblem query={query} />
      {children(query.data)}
    </div>
  );
}
