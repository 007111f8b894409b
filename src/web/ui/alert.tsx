import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';

interface AlertProps {
  tone?: 'danger' | 'warn';
  className?: string | undefined;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A message above a form or in place of a page's content. Screen readers announce it. */
export function Alert({ tone = 'danger', className, ref, children }: AlertProps) {
  const Icon = tone === 'danger' ? CircleAlert : TriangleAlert;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className={classNames(
        'flex gap-2.5 rounded-control border px-3.5 py-2.75',
        tone === 'danger'
          ? 'border-danger-line bg-danger-soft text-danger-text'
          : 'border-warn-line bg-warn-soft text-warn',
        className,
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [&_a]:underline [&_a]:underline-offset-3">{children}</div>
    </div>
  );
}
