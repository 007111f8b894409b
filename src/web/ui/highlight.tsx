import { type MatchMode, splitByMatch } from '../lib/text-match.ts';

interface HighlightProps {
  text: string;
  terms: readonly string[];
  at?: MatchMode;
}

/** A text with its search matches marked. */
export function Highlight({ text, terms, at: matchAt }: HighlightProps) {
  if (terms.length === 0) return text;
  let at = 0;
  return splitByMatch(text, terms, matchAt).map((part) => {
    const start = at;
    at += part.text.length;
    if (!part.isMatch) return part.text;
    return (
      <mark key={start} className="bg-warn-soft text-inherit shadow-[0_1px_0_var(--plot-2)]">
        {part.text}
      </mark>
    );
  });
}
