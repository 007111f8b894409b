import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import { plural } from '../../lib/format.ts';
import { focusCell } from './focus-cell.ts';
import type { CheckLine, SchemeCheck } from './use-scheme-check.ts';

/** What keeps the draft from being put in force, then what is only told. Each line leads to its cell. */
export function CheckPanel({ check: { lines, refusals } }: { check: SchemeCheck }) {
  const warnings = lines.length - refusals;
  return (
    <section aria-labelledby="check-heading" className="overflow-clip rounded-panel border border-line">
      <div className="px-4 py-3" role="status">
        <h2
          id="check-heading"
          className={`flex items-center gap-2 ${refusals > 0 ? 'text-danger-text' : 'text-ok'}`}
        >
          {refusals > 0 ? <CircleAlert className="size-4" /> : <Check className="size-4" />}
          {refusals > 0 ? plural(refusals, 'fault') : 'No fault'}
        </h2>
        <p className="mt-0.5 text-fg-2 text-label">
          {refusals > 0
            ? 'It can’t be put in force yet. Checked while you type.'
            : warnings > 0
              ? `${plural(warnings, 'warning')}. It can be put in force all the same.`
              : 'It can be put in force.'}
        </p>
      </div>
      {lines.length > 0 && (
        <ul className="max-xl:max-h-60 max-xl:overflow-y-auto">
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text may stand twice.
            <Line key={i} line={line} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ line: { isRefusal, text, at, semester } }: { line: CheckLine }) {
  const Icon = isRefusal ? CircleAlert : TriangleAlert;
  const content = (
    <>
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${isRefusal ? 'text-danger-text' : 'text-warn'}`}
        aria-label={isRefusal ? 'Fault' : 'Warning'}
      />
      <span className="wrap-anywhere min-w-0">
        {text}
        {semester !== undefined && <span className="block text-caption text-fg-2">Semester {semester}</span>}
      </span>
    </>
  );
  const look = 'flex w-full gap-2.5 px-4 py-2.5 text-start text-label';
  return (
    <li className="border-line border-t">
      {at === undefined ? (
        <p className={look}>{content}</p>
      ) : (
        <button
          type="button"
          className={`${look} -outline-offset-2 hover:bg-hover`}
          onClick={() => focusCell(at)}
        >
          {content}
        </button>
      )}
    </li>
  );
}
