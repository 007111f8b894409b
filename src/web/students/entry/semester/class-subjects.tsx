import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { foldText } from '../../../../domain/search-text.ts';
import { Button } from '../../../ui/button.tsx';
import { classSubjectsQuery } from '../../student-queries.ts';
import type { SubjectSlot, SubjectValues } from './subjects/subject-slots.ts';

interface ClassSubjectsProps {
  studentId: string;
  semester: number;
  slots: readonly SubjectSlot[];
  onFill: (subjects: readonly SubjectValues[]) => void;
}

/** Offers the subjects of at least half of the class that are not in the form yet. */
export function ClassSubjects({ studentId, semester, slots, onFill }: ClassSubjectsProps) {
  const { data } = useQuery(classSubjectsQuery(studentId, semester));
  if (data === undefined) return null;
  const subjects = data.subjects
    .filter(({ students }) => students * 2 >= data.classmates)
    .map(({ title, course_id, credits }) => ({
      title,
      id: String(course_id ?? ''),
      credit: String(credits ?? ''),
      grade: '',
    }))
    .filter((subject) => !slots.some((slot) => isSameSubject(slot, subject)));
  if (subjects.length === 0) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel bg-sunken px-3.5 py-2.5">
      <Button onClick={() => onFill(subjects)}>
        <Users />
        Same subjects as the class
      </Button>
      <p className="wrap-anywhere min-w-0 flex-[1_1_220px] text-fg-2 text-label">
        {subjects.map(({ title }) => title).join(', ')}
      </p>
    </div>
  );
}

const isSameSubject = (slot: SubjectValues, subject: SubjectValues) =>
  (subject.id !== '' && slot.id.trim() === subject.id) ||
  foldText(slot.title).trim() === foldText(subject.title).trim();
