import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { type ListFilters, parseStudentsSearchParams } from '../students/list/model/search-params.ts';

/** Filters of the list of students that yield the counted ones, of whom all are active. */
export const toListFilters = (filters: { readonly [Name in keyof ListFilters]: string }): ListFilters =>
  parseStudentsSearchParams({ status: 'active', ...filters });

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

/** A count that links to the counted students; zero has no link. */
export function CountLink({ count, filters }: { count: number; filters: ListFilters }) {
  if (count === 0) return <span className="text-fg-3">0</span>;
  return (
    <Link to="/students" search={filters} className="link link-quiet inline-block min-w-6 leading-6">
      {formatCount(count)}
    </Link>
  );
}
