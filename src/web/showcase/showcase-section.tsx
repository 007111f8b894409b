import type { ReactNode } from 'react';

export function ShowcaseSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-4">{title}</h2>
      {children}
    </section>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-end gap-x-7 gap-y-5">{children}</div>;
}

/** A component with the name of its state. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="grid min-w-0 justify-items-start gap-2">
      {children}
      <figcaption className="text-caption text-fg-3">{name}</figcaption>
    </figure>
  );
}
