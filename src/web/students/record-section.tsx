import { type ReactNode, useId } from 'react';

export function RecordSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="min-w-0">
      <h2 id={heading} className="pb-3">
        {title}
      </h2>
      {children}
    </section>
  );
}
