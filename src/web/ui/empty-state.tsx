import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** An outline drawing of what would stand here. */
  figure?: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ figure, title, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-6 pt-22 pb-26 text-center">
      {figure !== undefined && <div className="mb-4.5 text-line-2">{figure}</div>}
      <h2 className="text-lead">{title}</h2>
      {text !== undefined && <p className="max-w-[44ch] text-fg-3">{text}</p>}
      {action !== undefined && <div className="mt-3.5">{action}</div>}
    </div>
  );
}
