import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../../ui/tag.tsx';
import { standingQuery } from './grading-queries.ts';

/** The semesters whose results come from mark sheets and are not final until the class is notified. */
export function useProvisionalSemesters(studentId: string): readonly number[] {
  const semesters = useQuery(standingQuery(studentId)).data?.semesters ?? [];
  return semesters.filter(({ provisional }) => provisional).map(({ semester }) => semester);
}

/** Beside a figure that may still change. */
export const ProvisionalTag = () => <Tag tone="warn">Provisional</Tag>;

/** Why figures are provisional. */
export function provisionalText(semesters: readonly number[]): string {
  const [first, ...others] = semesters;
  const named =
    others.length === 0
      ? `Semester ${first} is`
      : `Semesters ${[first, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)} are`;
  return `${named} provisional until the class is notified of its results. Standing and rank are of final results.`;
}
