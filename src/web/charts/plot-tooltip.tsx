interface PlotTooltipProps {
  /** Horizontal position, in per cent. */
  at: number;
  title: string;
  text: string;
  /** Announced by screen readers, unless something else does. */
  isLive?: boolean;
}

/** The values of one bar, above it. */
export function PlotTooltip({ at, title, text, isLive = false }: PlotTooltipProps) {
  return (
    <div
      role={isLive ? 'status' : undefined}
      aria-hidden={!isLive}
      className="pointer-events-none absolute bottom-full z-1 mb-1 grid -translate-x-1/2 gap-px whitespace-nowrap rounded-control bg-fg px-2.5 py-1.75 text-caption text-paper shadow-2"
      style={{ left: `clamp(3.5rem, ${at}%, calc(100% - 3.5rem))` }}
    >
      <b className="font-[620]">{title}</b>
      <span>{text}</span>
    </div>
  );
}
