import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

interface EmptyStateProps {
  /** An outline drawing of the missing content. */
  figure?: ReactNode;
  title: string;
  /** `h1` if it is the only content of the page. */
  heading?: 'h1' | 'h2';
  text?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ figure, title, heading: Heading = 'h2', text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-6 pt-22 pb-26 text-center">
      {figure !== undefined && <div className="mb-4.5 text-line-2">{figure}</div>}
      <Heading className="text-lead">{title}</Heading>
      {text !== undefined && <p className="max-w-[44ch] text-fg-3">{text}</p>}
      {action !== undefined && <div className="mt-3.5">{action}</div>}
    </div>
  );
}

interface NoResultsProps {
  title: string;
  /** The records that are searched. */
  text: string;
  /** The label of the button that clears the search. */
  action?: string;
  onClear: () => void;
}

/** Shown when a search finds nothing. */
export function NoResults({ title, text, action = 'Clear search', onClear }: NoResultsProps) {
  const clear = () => {
    onClear();
    // The button disappears with this notice.
    document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
  };
  return (
    <div className="rounded-panel border border-line">
      <EmptyState title={title} text={text} action={<Button onClick={clear}>{action}</Button>} />
    </div>
  );
}
