import { useQuery } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { KIND_NAMES } from '../../../documents/holds/hold-labels.tsx';
import { studentHoldsQuery } from '../../../documents/holds/hold-queries.ts';
import { StudentHoldsLink } from '../../../documents/holds/student-holds-link.tsx';
import { Tag } from '../../../ui/tag.tsx';

/** The kinds of the active holds of a student, which lead to them; nothing without any. */
export function HoldTags({ studentId }: { studentId: string }) {
  const active = useQuery(studentHoldsQuery(studentId)).data?.filter(({ state }) => state === 'active') ?? [];
  const kinds = [...new Set(active.map(({ kind }) => kind))];
  if (kinds.length === 0) return null;
  return (
    <StudentHoldsLink studentId={studentId} className="screen-only inline-flex min-h-6 items-center">
      <Tag tone="danger" icon={<LockKeyhole aria-hidden="true" />}>
        Hold: {kinds.map((kind) => KIND_NAMES[kind].toLowerCase()).join(', ')}
      </Tag>
    </StudentHoldsLink>
  );
}
