import { type MatchAt, matchedParts } from './text-match.ts';

interface MarkedTextProps {
  text: string;
  terms: readonly string[];
  at?: MatchAt;
}

/** A text with the stretches marked that the search found. */
export function MarkedText({ text, terms, at: matchAt }: MarkedTextProps) {
  if (terms.length === 0) return text;
  let at = 0;
  return matchedParts(text, terms, matchAt).map((part) => {
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
