import type { Course } from '../../contract/courses.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { COURSE_LABELS, type CourseValues, fromCourse, toCourseBody } from './course-values.ts';

interface CourseConflictProps {
  /** What somebody else has stored in the meantime. */
  stored: Course;
  mine: CourseValues;
  onTakeStored: () => void;
  onSaveMine: () => void;
}

/** Two people edited one course: shows what differs and lets the second one decide. Nothing has been saved yet. */
export function CourseConflict({ stored, mine, onTakeStored, onSaveMine }: CourseConflictProps) {
  const theirs = toCourseBody(fromCourse(stored));
  const differing = (['course_code', 'course_name', 'course_description'] as const).filter(
    (name) => theirs[name] !== mine[name].trim(),
  );
  return (
    <Alert tone="warn" className="mb-5">
      <p>
        <b className="font-semibold">Somebody else has changed this course since you opened it.</b> Your
        changes have not been saved.
      </p>
      {differing.length === 0 ? (
        <p className="mt-1">Its details are the same as yours; its marks may differ.</p>
      ) : (
        <dl className="mt-2.5 grid gap-2 text-fg">
          {differing.map((name) => (
            <div key={name}>
              <dt className="font-medium text-caption">{COURSE_LABELS[name]}</dt>
              <dd className="wrap-anywhere">
                <span className="text-fg-2">Stored:</span> {theirs[name] || '--'}
              </dd>
              <dd className="wrap-anywhere">
                <span className="text-fg-2">Yours:</span> {mine[name] || '--'}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-3 flex flex-wrap gap-2 text-fg">
        <Button size="sm" onClick={onTakeStored}>
          Take the stored details
        </Button>
        <Button size="sm" onClick={onSaveMine}>
          Save mine instead
        </Button>
      </div>
    </Alert>
  );
}
