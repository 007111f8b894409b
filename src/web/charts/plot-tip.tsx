interface PlotTipProps {
  /** Where along the width, in per cent. */
  at: number;
  title: string;
  text: string;
  /** Read out, where nothing else says it. */
  isLive?: boolean;
}

/** The figures of one bar, above it. */
export function PlotTip({ at, title, text, isLive = false }: PlotTipProps) {
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
