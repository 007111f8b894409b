import { STANDING_LABELS, type Standing } from '../../domain/student.ts';
import { Tag } from './tag.tsx';

const TONES = { good: 'ok', warning: 'warn', probation: 'danger', review: 'danger' } as const;

interface StandingTagProps {
  standing: Standing;
  className?: string;
}

/** The academic standing after a semester. */
export function StandingTag({ standing, className }: StandingTagProps) {
  return (
    <span className={className}>
      <Tag tone={TONES[standing]}>{STANDING_LABELS[standing]}</Tag>
    </span>
  );
}
