import { Link } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { SECTION_HASH } from '../profile-section.ts';

interface ProfilePanelProps {
  title: string;
  /** Whether it replaced another section. */
  isChange: Readonly<RefObject<boolean>>;
  /** Whether the user opened it from elsewhere on the page. */
  takesFocus?: boolean;
  children: ReactNode;
}

/** One section of the profile. */
export function ProfilePanel({ title, isChange, takesFocus = false, children }: ProfilePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The focused element may be gone with the previous section.
    const isLost = document.activeElement === document.body;
    if (isChange.current && (takesFocus || isLost)) heading.current?.focus();
  }, [isChange, takesFocus]);
  return (
    <section className="min-w-0 max-w-140">
      <h2 ref={heading} tabIndex={-1} className="wrap-anywhere mb-3.5 outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}

export const ChangePasswordLink = () => <SectionLink section="password">Change password</SectionLink>;

interface SectionLinkProps {
  section: keyof typeof SECTION_HASH;
  children: ReactNode;
}

/** Switches to another section of the profile. */
export function SectionLink({ section, children }: SectionLinkProps) {
  return (
    <Link
      to="/list-users"
      hash={SECTION_HASH[section]}
      hashScrollIntoView={false}
      resetScroll={false}
      className="link leading-6"
    >
      {children}
    </Link>
  );
}
