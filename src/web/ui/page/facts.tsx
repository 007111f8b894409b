import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface DescriptionItem {
  title: string;
  /** Null, undefined and blank text are shown as 'Not defined yet.'. */
  value: ReactNode;
  /** Spans the full width. */
  wide?: boolean | undefined;
}

export function DescriptionList({
  items,
  className,
}: {
  items: readonly DescriptionItem[];
  className?: string | undefined;
}) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-2 gap-x-5 gap-y-4 xs:grid-cols-[repeat(auto-fill,minmax(180px,1fr))] xs:gap-x-6 xs:gap-y-4.5',
        className,
      )}
    >
      {items.map(({ title, value, wide }) => {
        const isMissing = value === null || value === undefined || value === '';
        return (
          <div key={title} className={wide ? 'col-span-full' : undefined}>
            <dt className="font-medium text-caption text-fg-3">{title}</dt>
            <dd
              className={classNames(
                'wrap-anywhere mt-0.5 whitespace-pre-line',
                isMissing ? 'text-fg-3' : 'font-medium',
              )}
            >
              {isMissing ? 'Not defined yet.' : value}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
