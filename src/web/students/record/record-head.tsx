import { useQuery } from '@tanstack/react-query';
import { Pencil, UserRound } from 'lucide-react';
import type { Student } from '../../../contract/students/students.ts';
import { usePageSubject } from '../../lib/navigation/navigation.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { usePicture } from '../../ui/fields/picture/use-picture.ts';
import { BackLink } from '../../ui/page/back-link.tsx';
import { StandingTag } from '../../ui/standing-tag.tsx';
import { StatusLine } from '../status-tag.tsx';
import { StudentActions } from '../student-actions.tsx';
import { formatDegree, fullName, nameAndClass, portraitPath } from '../student-format.ts';
import { standingQuery } from './grading/grading-queries.ts';

const meta =
  '-ml-3.25 mt-1.5 flex flex-wrap gap-y-1 text-fg-2 [clip-path:inset(0_0_0_13px)] *:relative *:ml-px *:wrap-anywhere *:px-3 *:before:absolute *:before:inset-y-1 *:before:-left-px *:before:w-px *:before:bg-line-2';

interface RecordHeaderProps {
  student: Student;
  /** Semesters with results; left out for an entry that is not shown whole. */
  recorded?: number;
}

export function RecordHeader({ student, recorded }: RecordHeaderProps) {
  const name = fullName(student);
  usePageSubject(nameAndClass(student));
  return (
    <>
      <BackLink to="/students">Students</BackLink>
      <div className="mb-7 flex flex-wrap items-start gap-4 xs:gap-5">
        <Portrait img={student.img} name={name} />
        <div className="min-w-0 flex-[1_1_180px] xs:flex-[1_1_300px]">
          <h1 className="text-[1.625rem] leading-8">{name}</h1>
          <div className={meta}>
            <span>CMS ID {student.id}</span>
            <span>{formatDegree(student)}</span>
            <span>Semester {student.current_sem}</span>
          </div>
          <Standing studentId={student.id} />
          <StatusLine student={student} className="mt-2.5" />
        </div>
        <StudentActions
          studentId={student.id}
          issue={recorded === undefined ? undefined : { studentName: name, semester: recorded || undefined }}
        >
          <ButtonLink
            to={`/students/${encodeURIComponent(student.id)}/edit`}
            variant="primary"
            className="max-xs:flex-1"
          >
            <Pencil />
            Edit
          </ButtonLink>
        </StudentActions>
      </div>
    </>
  );
}

/** A standing that needs attention, with the rule that led to it; as it was notified, and as it would be today. */
function Standing({ studentId }: { studentId: string }) {
  const { standing = null, clause, now } = useQuery(standingQuery(studentId)).data ?? {};
  if (standing === null || (standing === 'good' && (now?.standing ?? 'good') === 'good')) return null;
  return (
    <p className="mt-2.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-fg-2 text-label">
      <StandingTag standing={standing} />
      <span className="wrap-anywhere min-w-0">{clause}</span>
      {now?.standing && now.standing !== standing && (
        <>
          as notified, today <StandingTag standing={now.standing} />
        </>
      )}
    </p>
  );
}

const frame =
  'aspect-35/45 w-17 flex-none overflow-hidden rounded-control border border-line-2 bg-sunken text-fg-3 xs:w-21';

function Portrait({ img, name }: { img: string | null; name: string }) {
  const picture = usePicture(portraitPath(img));
  if (picture !== null) {
    return <img src={picture} alt={`Portrait of ${name}`} className={`${frame} object-cover`} />;
  }
  return (
    <div role="img" aria-label="No portrait yet" className={`grid place-items-center ${frame}`}>
      <UserRound className="size-9" strokeWidth={1.25} aria-hidden="true" />
    </div>
  );
}
