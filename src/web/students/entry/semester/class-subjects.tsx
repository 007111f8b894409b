import { useQuery } from '@tanstack/react-query';
import { type LucideIcon, UserRound, Users } from 'lucide-react';
import { useMemo } from 'react';
import type { Student } from '../../../../contract/students/students.ts';
import { foldText } from '../../../../domain/search-text.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { classSubjectsQuery } from '../../student-queries.ts';
import { findLastSubjects } from '../../student-run.ts';
import type { SubjectSlot, SubjectValues } from './subjects/subject-slots.ts';

interface ClassSubjectsProps {
  studentId: string;
  classOfStudent: Pick<Student, 'department' | 'degree'>;
  semester: number;
  slots: readonly SubjectSlot[];
  /** Nothing was typed: the subjects of the classmate replace those that the form begins with. */
  isUntouched: boolean;
  onFill: (subjects: readonly SubjectValues[], replaces: boolean) => void;
}

/** Offers the subjects of the classmate whose results were saved last, and those of at least half of the class, that are not in the form yet. */
export function ClassSubjects({
  studentId,
  classOfStudent,
  semester,
  slots,
  isUntouched,
  onFill,
}: ClassSubjectsProps) {
  const { data } = useQuery(classSubjectsQuery(studentId, semester));
  const last = useMemo(
    () => findLastSubjects(studentId, { ...classOfStudent, semester }),
    [studentId, classOfStudent, semester],
  );
  const isNew = (subject: SubjectValues) => !slots.some((slot) => isSameSubject(slot, subject));
  const allOfLast = last?.subjects.map((subject) => ({ ...subject, grade: '' })) ?? [];
  const newOfLast = allOfLast.filter(isNew);
  const replaces = isUntouched && newOfLast.length > 0;
  const ofLast = replaces ? allOfLast : newOfLast;
  const ofClass = (data?.subjects ?? [])
    .filter(({ students }) => data !== undefined && students * 2 >= data.classmates)
    .map(({ title, course_id, credits }) => ({
      title,
      id: String(course_id ?? ''),
      credit: String(credits ?? ''),
      grade: '',
    }))
    .filter(isNew);
  // The same subjects are offered once.
  const isSameOffer =
    ofClass.length === ofLast.length &&
    ofClass.every((one) => ofLast.some((slot) => isSameSubject(slot, one)));
  return (
    <>
      {last && ofLast.length > 0 && (
        <Offer
          label={`As for ${last.student.name} (${plural(ofLast.length, 'subject')})`}
          Icon={UserRound}
          subjects={ofLast}
          onFill={(subjects) => onFill(subjects, replaces)}
        />
      )}
      {ofClass.length > 0 && !isSameOffer && (
        <Offer
          label="Same subjects as the class"
          Icon={Users}
          subjects={ofClass}
          onFill={(subjects) => onFill(subjects, false)}
        />
      )}
    </>
  );
}

interface OfferProps {
  label: string;
  Icon: LucideIcon;
  subjects: readonly SubjectValues[];
  onFill: (subjects: readonly SubjectValues[]) => void;
}

function Offer({ label, Icon, subjects, onFill }: OfferProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel bg-sunken px-3.5 py-2.5">
      <Button onClick={() => onFill(subjects)}>
        <Icon />
        {label}
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
