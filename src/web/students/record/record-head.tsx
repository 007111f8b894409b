import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, UserRound } from 'lucide-react';
import type { Student } from '../../../contract/students/students.ts';
import { usePageKey } from '../../lib/keyboard-shortcuts.ts';
import { usePageSubject } from '../../lib/navigation/navigation.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { usePicture } from '../../ui/fields/picture/use-picture.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StandingTag } from '../../ui/standing-tag.tsx';
import { StatusLine } from '../status-tag.tsx';
import { StudentActions } from '../student-actions.tsx';
import { formatDegree, fullName, nameAndClass, portraitPath } from '../student-format.ts';
import { standingQuery } from './grading/grading-queries.ts';
import { HoldTags } from './holds/hold-tags.tsx';

const meta =
  '-ml-3.25 flex flex-wrap gap-y-1 text-fg-2 [clip-path:inset(0_0_0_13px)] *:relative *:ml-px *:wrap-anywhere *:px-3 *:before:absolute *:before:inset-y-1 *:before:-left-px *:before:w-px *:before:bg-line-2';

interface RecordHeadProps {
  student: Student;
  /** Semesters with results; undefined for an entry that is not shown whole. */
  recorded: number | undefined;
  /** On the tabs beside the record itself. */
  isSmall: boolean;
}

/** Above this length a name is set smaller on phones, where it would fill half of the screen. */
const LONG_NAME = 40;

/** Who the student is, and what can be done with the record. */
export function RecordHead({ student, recorded, isSmall }: RecordHeadProps) {
  const name = fullName(student);
  const edit = `/students/${encodeURIComponent(student.id)}/edit`;
  usePageSubject(nameAndClass(student));
  return (
    <div className={classNames('flex flex-wrap items-start gap-4', isSmall ? 'mb-3' : 'mb-5 xs:gap-5')}>
      <Portrait img={student.img} name={name} isSmall={isSmall} />
      <div className="min-w-0 flex-[1_1_180px] xs:flex-[1_1_300px]">
        <h1
          className={classNames(
            'wrap-anywhere',
            isSmall ? 'text-[1.375rem] leading-7' : 'text-[1.625rem] leading-8',
            name.length > LONG_NAME && 'max-md:text-lead max-md:leading-6',
          )}
        >
          {name}
        </h1>
        <div className={classNames(meta, isSmall ? 'mt-0.5' : 'mt-1.5')}>
          <span>CMS ID {student.id}</span>
          <span>{formatDegree(student)}</span>
          <span>Semester {student.current_sem}</span>
        </div>
        <HoldTags studentId={student.id} />
        {!isSmall && <Standing studentId={student.id} />}
        <StatusLine student={student} className={isSmall ? 'mt-1' : 'mt-2.5'} />
      </div>
      <StudentActions
        studentId={student.id}
        issue={recorded === undefined ? undefined : { studentName: name, semester: recorded || undefined }}
        isOnRecord={!isSmall}
      >
        <ButtonLink to={edit} variant={isSmall ? 'secondary' : 'primary'} className="max-xs:flex-1">
          <Pencil />
          Edit
        </ButtonLink>
        <EditKey to={edit} />
      </StudentActions>
    </div>
  );
}

/** Opens the form on `E`. */
function EditKey({ to }: { to: string }) {
  const navigate = useNavigate();
  usePageKey('e', () => void navigate({ to }));
  return null;
}

/** The head while the student loads. */
export function RecordHeadSkeleton({ isSmall }: { isSmall: boolean }) {
  return (
    <div aria-hidden="true" className={classNames('flex gap-5', isSmall ? 'mb-5' : 'mb-7')}>
      <div className={classNames('rounded-control bg-press', frameSize(isSmall))} />
      <div className="grid content-start gap-3 pt-2">
        <Skeleton width={220} />
        <Skeleton width={260} />
      </div>
    </div>
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

const frameSize = (isSmall: boolean) => `aspect-35/45 ${isSmall ? 'w-9.5' : 'w-17 xs:w-21'}`;

interface PortraitProps {
  img: string | null;
  name: string;
  isSmall: boolean;
}

function Portrait({ img, name, isSmall }: PortraitProps) {
  const picture = usePicture(portraitPath(img));
  const frame = `flex-none overflow-hidden rounded-control border border-line-2 bg-sunken text-fg-3 ${frameSize(isSmall)}`;
  if (picture !== null) {
    return <img src={picture} alt={`Portrait of ${name}`} className={`${frame} object-cover`} />;
  }
  return (
    <div role="img" aria-label="No portrait yet" className={`grid place-items-center ${frame}`}>
      <UserRound className={isSmall ? 'size-5' : 'size-9'} strokeWidth={1.25} aria-hidden="true" />
    </div>
  );
}
