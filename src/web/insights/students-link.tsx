import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ListFilters, readStudentsAddress } from '../students/students-address.ts';
import { countText } from './figure-texts.ts';

/** The filters of the list of students that leave those who were counted. */
export const studentsWith = (filters: { readonly [Name in keyof ListFilters]: string }): ListFilters =>
  readStudentsAddress(filters);

interface StudentsLinkProps {
  filters: ListFilters;
  children: ReactNode;
}

export function StudentsLink({ filters, children }: StudentsLinkProps) {
  return (
    <Link to="/students" search={filters} className="link">
      {children}
    </Link>
  );
}

/** A count in a table, which leads to the students who were counted; nobody leads nowhere. */
export function CountLink({ count, filters }: { count: number; filters: ListFilters }) {
  if (count === 0) return <span className="text-fg-3">0</span>;
  return (
    <Link to="/students" search={filters} className="link link-quiet inline-block min-w-6 leading-6">
      {countText(count)}
    </Link>
  );
}
