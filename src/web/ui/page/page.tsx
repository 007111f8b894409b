import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { BackLink } from './back-link.tsx';

export interface PageProps {
  /** `record` 1280 px, `wide` 1600 px for tables and cards, `form` 1040 px. */
  width?: 'record' | 'wide' | 'form' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** The frame of a page's content, inside the shell's `main`. */
export function Page({ width = 'record', className, children }: PageProps) {
  return (
    <div
      className={classNames(
        'page',
        width === 'wide' && 'page-wide',
        width === 'form' && 'page-form',
        className,
      )}
    >
      {children}
    </div>
  );
}

export interface PageHeaderProps {
  title: ReactNode;
  /** Whom or what the page is about, where the title has only an ID. */
  subject?: string | undefined;
  /** One line of help. */
  sub?: ReactNode;
  back?: { to: string; label: string; onClick?: (() => void) | undefined } | undefined;
  /** At the right of the link back, such as links to the records before and after. */
  besideBack?: ReactNode;
  /** Buttons, or the stepper of a record, at the right. */
  actions?: ReactNode;
}

export function PageHeader({ title, subject, sub, back, besideBack, actions }: PageHeaderProps) {
  const isPlain = sub === undefined && back === undefined;
  return (
    <>
      {back && (
        <div className="flex flex-wrap items-start justify-between gap-x-6">
          <BackLink to={back.to} onClick={back.onClick}>
            {back.label}
          </BackLink>
          {besideBack}
        </div>
      )}
      <div
        className={classNames(
          'mb-5 flex flex-wrap gap-x-6 gap-y-3',
          // Without subtitle or back link, the heading shares its line with the buttons on small screens too.
          isPlain ? 'items-center lg:min-h-8' : 'items-start',
        )}
      >
        <div className={classNames('min-w-0', isPlain ? 'flex-auto' : 'flex-[1_1_280px]')}>
          <h1>{title}</h1>
          {subject !== undefined && <p className="wrap-anywhere mt-0.5 font-[560] text-lead">{subject}</p>}
          {sub !== undefined && <p className="mt-0.5 max-w-[64ch] text-fg-2">{sub}</p>}
        </div>
        {actions !== undefined && (
          <div className={classNames('flex flex-wrap gap-2', !isPlain && 'max-md:grow')}>{actions}</div>
        )}
      </div>
    </>
  );
}
