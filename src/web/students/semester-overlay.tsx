import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Academic } from '../../contract/academics.ts';
import { storeStartingSemester, useMayWrite } from '../session.ts';
import { ButtonLink, IconButton } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { SubjectResult } from './subject-result.tsx';
import { subjectsOf } from './subjects-of.ts';

interface SemesterOverlayProps {
  /** Results that may be shown, index 0 = semester 1. */
  results: readonly Academic[];
  /** The open semester; null while the overlay is closed. */
  semester: number | null;
  studentId: string;
  studentName: string;
  onSemester: (semester: number) => void;
  onClose: () => void;
}

/** The subjects of one semester, with the marks of each course; Left and Right lead to its neighbours. */
export function SemesterOverlay({
  results,
  semester,
  studentId,
  studentName,
  onSemester,
  onClose,
}: SemesterOverlayProps) {
  const mayWrite = useMayWrite();
  const result = semester === null ? undefined : results[semester - 1];
  const goBy = (step: 1 | -1) => {
    const next = (semester ?? 0) + step;
    if (results[next - 1] !== undefined) onSemester(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isTaken =
      event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isTaken) return;
    if (event.key === 'ArrowLeft') goBy(-1);
    else if (event.key === 'ArrowRight') goBy(1);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the drawer in it; the buttons do the same.
    <div onKeyDown={onKeyDown}>
      <Drawer
        isOpen={result !== undefined}
        onClose={onClose}
        title={`Semester ${semester ?? ''}`}
        sub={studentName}
        bodyLabel={`Subjects of Semester ${semester ?? ''}`}
        actions={
          <>
            <StepButton label="Previous semester" isOff={semester === 1} onPress={() => goBy(-1)}>
              <ChevronLeft strokeWidth={1.75} aria-hidden="true" />
            </StepButton>
            <StepButton label="Next semester" isOff={semester === results.length} onPress={() => goBy(1)}>
              <ChevronRight strokeWidth={1.75} aria-hidden="true" />
            </StepButton>
          </>
        }
      >
        {result && <SemesterResult key={result.academic_id} result={result} />}
        {semester !== null && mayWrite && (
          // The edit begins where it is told that it was left, so nobody has to save the semesters before.
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
  isOff: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** Stays focusable at either end: a button that is disabled under the finger would drop the focus. */
function StepButton({ label, isOff, onPress, children }: StepButtonProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={isOff}
      onClick={onPress}
      className={isOff ? 'cursor-default opacity-45' : undefined}
    >
      {children}
    </IconButton>
  );
}

function SemesterResult({ result }: { result: Academic }) {
  const subjects = subjectsOf(result);
  const credits = subjects.reduce((total, { credit }) => total + (credit ?? 0), 0);
  const figures = [
    ['SGPA', result.sgpa.toFixed(2)],
    ['CGPA', result.cgpa.toFixed(2)],
    ['Credit hours', credits],
    ['Subjects', subjects.length],
  ] as const;
  return (
    <>
      <dl className="mb-5 grid grid-cols-[repeat(4,auto)] justify-start">
        {figures.map(([title, value]) => (
          <div key={title} className="border-line px-2.5 not-first:border-l first:pl-0 xs:px-3.5 md:px-6">
            <dt className="font-medium text-caption text-fg-3">{title}</dt>
            <dd className="font-semibold text-[1.25rem] leading-6.5 tracking-[-0.015em]">{value}</dd>
          </div>
        ))}
      </dl>
      {subjects.length === 0 && <p className="text-fg-3">No subjects are recorded for this semester.</p>}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-4">
        {subjects.map((subject) => (
          <SubjectResult key={subject.slot} subject={subject} />
        ))}
      </div>
    </>
  );
}
