import { DraftingCompass } from 'lucide-react';
import type { ReactNode } from 'react';
import { Blueprint } from './blueprint.tsx';
import './auth.css';

interface AuthFrameProps {
  title: string;
  text: string;
  /** Which side the form stands on, on wide screens. */
  side?: 'start' | 'end';
  children: ReactNode;
}

/** The page of a signed-out person: a form beside the drawing. */
export function AuthFrame({ title, text, side = 'start', children }: AuthFrameProps) {
  return (
    <div className="auth" data-side={side}>
      <main id="main" tabIndex={-1} className="auth-side">
        <div className="auth-form flex w-full max-w-94 flex-col gap-4.5">
          <p className="mb-3.5 flex items-center gap-2.5 font-semibold text-fg-2 text-label">
            <DraftingCompass className="size-5 text-ink-text" strokeWidth={1.75} aria-hidden="true" />
            Student Information Management System
          </p>
          <div>
            <h1>{title}</h1>
            <p className="mt-0.5 mb-1.5 text-fg-2">{text}</p>
          </div>
          {children}
        </div>
      </main>
      <div className="auth-art" aria-hidden="true">
        <Blueprint />
        <TitleBlock />
      </div>
    </div>
  );
}

/** The field in the corner of a drawing that says what it is. */
function TitleBlock() {
  return (
    <div className="absolute end-8 bottom-8 grid min-w-85 grid-cols-[1fr_auto] border border-blueprint-line bg-blueprint text-label *:px-3.5 *:py-2.25 max-lg:hidden">
      <b className="col-span-full border-blueprint-line border-b font-semibold text-section">
        Student Information Management System
      </b>
      <span className="text-on-blueprint-2">Staff records</span>
      <span className="border-blueprint-line border-s text-on-blueprint-2">EE · CE · ME · MTS</span>
    </div>
  );
}
