import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Academic } from '../../../contract/students/academics.ts';
import { storeStartingSemester, useCanWrite } from '../../lib/session.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import {
  IncompleteTag,
  ProvisionalNote,
  ProvisionalTag,
  useStandingSemesters,
} from './grading/provisional.tsx';
import type { StandingSemester } from './grading/provisional-text.ts';
import { recordedSubjects, SubjectResult, totalCredits } from './subject-result.tsx';
import { SubjectsTable } from './subjects-table.tsx';

interface SemesterDrawerProps {
  /** Results up to the current semester; index 0 is semester 1. */
  results: readonly Academic[];
  /** The open semester; null while the drawer is closed. */
  semester: number | null;
  studentId: string;
  studentName: string;
  onSemester: (semester: number) => void;
  onClose: () => void;
}

/** The subjects of one semester, with the marks of each course. The arrow keys change the semester. */
export function SemesterDrawer({
  results,
  semester,
  studentId,
  studentName,
  onSemester,
  onClose,
}: SemesterDrawerProps) {
  const canWrite = useCanWrite();
  const semesters = useStandingSemesters(studentId);
  const result = semester === null ? undefined : results[semester - 1];
  /** Semesters before the entry of the student have nothing to show. */
  const canOpen = (one: number) => results[one - 1] !== undefined && !results[one - 1]?.elsewhere;
  const goBy = (step: 1 | -1) => {
    const next = (semester ?? 0) + step;
    if (canOpen(next)) onSemester(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isHandled =
      event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isHandled) return;
    if (event.key === 'ArrowLeft') goBy(-1);
    else if (event.key === 'ArrowRight') goBy(1);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the drawer inside; the buttons do the same.
    <div onKeyDown={onKeyDown}>
      <Drawer
        isOpen={result !== undefined}
        onClose={onClose}
        title={`Semester ${semester ?? ''}`}
        sub={studentName}
        bodyLabel={`Subjects of Semester ${semester ?? ''}`}
        actions={
          <>
            <StepButton
              label="Previous semester"
              isDisabled={!canOpen((semester ?? 0) - 1)}
              onPress={() => goBy(-1)}
            >
              <ChevronLeft />
            </StepButton>
            <StepButton
              label="Next semester"
              isDisabled={!canOpen((semester ?? 0) + 1)}
              onPress={() => goBy(1)}
            >
              <ChevronRight />
            </StepButton>
          </>
        }
      >
        {result && (
          <SemesterResult
            key={result.academic_id}
            result={result}
            hasCgpa={results.slice(0, result.semester).some(isGraded)}
            semesters={semesters.filter((one) => one.semester <= result.semester)}
          />
        )}
        {semester !== null && canWrite && (
          // Editing starts at the stored semester, so the earlier ones need not be saved again.
          <p className="mt-6">
            <ButtonLink
              to={`/students/${encodeURIComponent(studentId)}/academics/edit`}
              onClick={() => storeStartingSemester(studentId, semester)}
            >
              Edit Semester {semester}
            </ButtonLink>
          </p>
        )}
      </Drawer>
    </div>
  );
}

interface StepButtonProps {
  label: string;
  isDisabled: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** Not `disabled` at either end, since a disabled button loses the focus. */
function StepButton({ label, isDisabled, onPress, children }: StepButtonProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={isDisabled}
      onClick={onPress}
      className={isDisabled ? 'cursor-default opacity-45' : undefined}
    >
      {children}
    </IconButton>
  );
}

const isGraded = (result: Academic) =>
  recordedSubjects(result).some(({ credit, grade }) => credit !== null && grade !== undefined);

interface SemesterResultProps {
  result: Academic;
  /** False as long as nothing is graded. */
  hasCgpa: boolean;
  /** This semester and those before. */
  semesters: readonly StandingSemester[];
}

function SemesterResult({ result, hasCgpa, semesters }: SemesterResultProps) {
  const subjects = recordedSubjects(result);
  const own = semesters.find(({ semester }) => semester === result.semester);
  const figures = [
    ['SGPA', result.sgpa.toFixed(2)],
    ['CGPA', hasCgpa ? result.cgpa.toFixed(2) : '--'],
    ['Credit hours', totalCredits(result)],
    ['Subjects', subjects.length],
  ] as const;
  return (
    <>
      <dl className="mb-5 grid grid-cols-[repeat(4,auto)] justify-start">
        {figures.map(([title, value]) => (
          <div key={title} className="border-line px-2.5 not-first:border-l first:pl-0 xs:px-3.5 md:px-6">
            <dt className="font-medium text-caption text-fg-3">{title}</dt>
            <dd className="flex items-center gap-2 font-semibold text-[1.25rem] leading-6.5 tracking-[-0.015em]">
              {value}
              {title === 'SGPA' && <IncompleteTag semester={own} />}
            </dd>
          </div>
        ))}
      </dl>
      {semesters.some((one) => one.provisional) && (
        <div className="mb-5 flex items-start gap-x-2.5">
          <ProvisionalTag />
          <ProvisionalNote semesters={semesters} className="min-w-0" />
        </div>
      )}
      <SubjectsTable result={result} ungraded={own?.ungraded} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-4 not-empty:mt-6">
        {subjects.map((subject) => (
          <SubjectResult key={subject.slot} subject={subject} />
        ))}
      </div>
    </>
  );
}
