import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** An outline drawing of what would stand here. */
  figure?: ReactNode;
  title: string;
  /** `h1` where it is all there is on the page. */
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
