import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';

interface PanelProps<Figures> {
  title: string;
  text: string;
  /** Controls at the right of the heading. */
  controls?: ReactNode;
  query: UseQueryResult<Figures>;
  /** Shown while the figures load. */
  skeleton: ReactNode;
  /** Shown when there are no figures. */
  none: string;
  isNone: (figures: Figures) => boolean;
  /** Set if the controls already show the error. */
  isRefused?: boolean;
  children: (figures: Figures) => ReactNode;
}

/** A section with figures, and its loading, empty and error states. */
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
    if (hasLoadError({ query })) return <LoadError query={query} />;
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
      <LoadError query={query} />
      {children(query.data)}
    </div>
  );
}
