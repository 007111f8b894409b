import './charts.css';

interface RulerProps {
  max: number;
  /** Distance between the ticks. */
  step: number;
  /** Position of the pin; without it only the scale is drawn. */
  value?: number | undefined;
  className?: string | undefined;
}

/** Decorative: a value on its full scale, next to the number itself. */
export function Ruler({ max, step, value, className = '' }: RulerProps) {
  const count = Math.round(max / step);
  const at = value === undefined ? undefined : `${Math.min(Math.max(value / max, 0), 1) * 100}%`;
  return (
    <svg className={`ruler ${className}`} aria-hidden="true">
      {Array.from({ length: count + 1 }, (_, i) => {
        const x = `${(i / count) * 100}%`;
        const isLong = i === 0 || i === count || (step < 1 && Number.isInteger(i * step));
        return <line key={x} x1={x} x2={x} y1={isLong ? 4 : 7} y2="11" />;
      })}
      <line x1="0" x2="100%" y1="11" y2="11" />
      {at !== undefined && (
        <>
          <line className="ruler-fill" x1="0" x2={at} y1="11" y2="11" />
          <svg x={at} overflow="visible" aria-hidden="true">
            <path d="M0 8.5L-4 1.5h8z" />
          </svg>
        </>
      )}
    </svg>
  );
}
