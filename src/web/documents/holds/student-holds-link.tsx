import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface StudentHoldsLinkProps {
  studentId: string;
  className?: string;
  children: ReactNode;
}

/** Leads to the holds of a student. */
export const StudentHoldsLink = ({ studentId, className, children }: StudentHoldsLinkProps) => (
  <Link to="/students/$studentId/holds" params={{ studentId }} className={className}>
    {children}
  </Link>
);
