import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { CgpaExplanation, CgpaLine } from '../../../../contract/grading/grading.ts';
import { average, GRADE_LETTERS, gradePoints } from '../../../../domain/grading/gpa.ts';
import { countSubjects, type RecordedSubject, sumCounted } from '../../../../domain/grading/repeat-policy.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/input-fields.tsx';

interface PlannedCourse {
  /** Distinguishes the rows. */
  key: number;
  title: string;
  /** The course that is repeated; null for one that was not taken before. */
  course_id: number | null;
  credits: string;
  letter: (typeof GRADE_LETTERS)[number];
}

const LETTER_OPTIONS = GRADE_LETTERS.map((letter) => ({
  value: letter,
  label: `${letter} (${gradePoints(letter)})`,
}));
const CREDIT_OPTIONS = ['1', '2', '3', '4', '5', '6'].map((value) => ({ value, label: value }));

/** The latest attempt of each linked course, the lowest grades first. */
function repeatable({ lines }: CgpaExplanation): (CgpaLine & { course_id: number; points: number })[] {
  const latest = new Map<number, CgpaLine & { course_id: number; points: number }>();
  for (const line of lines) {
    const { course_id, points } = line;
    if (course_id !== null && points !== null) latest.set(course_id, { ...line, course_id, points });
  }
  return [...latest.values()].toSorted((a, b) => a.points - b.points || a.title.localeCompare(b.title, 'en'));
}

/** Expected grades of courses to come, repeats among them, with the CGPA that follows by the policy on repeats. */
export function PlannedCourses({ explanation }: { explanation: CgpaExplanation }) {
  const [courses, setCourses] = useState<readonly PlannedCourse[]>([]);
  const nextKey = (courses.at(-1)?.key ?? 0) + 1;
  const add = (course: Pick<PlannedCourse, 'title' | 'course_id' | 'credits'>) =>
    setCourses([...courses, { ...course, key: nextKey, letter: 'B' }]);
  const change = (key: number, changed: Partial<PlannedCourse>) =>
    setCourses(courses.map((course) => (course.key === key ? { ...course, ...changed } : course)));

  const choices = repeatable(explanation).filter(
    ({ course_id }) => !courses.some((course) => course.course_id === course_id),
  );
  const planned = courses.map(
    ({ course_id, credits, letter }, i): RecordedSubject => ({
      semester: (explanation.semester ?? 0) + 1,
      slot: i + 1,
      course_id,
      credits: Number(credits),
      points: gradePoints(letter),
    }),
  );
  const sums = sumCounted(countSubjects([...explanation.lines, ...planned], explanation.repeat_policy));
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          className="min-w-0 flex-[1_1_220px]"
          label="Repeat a course"
          name="repeat"
          value=""
          placeholder="Choose a course"
          options={choices.map(({ course_id, title, letter, semester }) => ({
            value: String(course_id),
            label: `${title}, ${letter} in semester ${semester}`,
          }))}
          onChange={(chosen) => {
            const line = choices.find(({ course_id }) => String(course_id) === chosen);
            if (line)
              add({ title: line.title, course_id: line.course_id, credits: String(line.credits ?? 3) });
          }}
        />
        <Button onClick={() => add({ title: `New course ${nextKey}`, course_id: null, credits: '3' })}>
          <Plus />
          Add a new course
        </Button>
      </div>
      {courses.length > 0 && (
        <ul className="border-line border-t">
          {courses.map(({ key, title, course_id, credits, letter }) => (
            <li key={key} className="border-line border-b py-3.5">
              <fieldset className="grid grid-cols-[1fr_1fr_auto] items-end gap-x-4 gap-y-2 md:grid-cols-[1fr_7rem_7rem_auto]">
                <legend className="wrap-anywhere float-left font-[560] max-md:col-span-full md:self-center">
                  {title}
                  {course_id !== null && <span className="font-normal text-fg-3">, repeated</span>}
                </legend>
                <SelectField
                  label="Credit hours"
                  name={`credits-${key}`}
                  value={credits}
                  options={CREDIT_OPTIONS}
                  onChange={(chosen) => change(key, { credits: chosen })}
                />
                <SelectField
                  label="Grade"
                  name={`grade-${key}`}
                  value={letter}
                  options={LETTER_OPTIONS}
                  onChange={(chosen) =>
                    change(key, { letter: GRADE_LETTERS.find((one) => one === chosen) ?? letter })
                  }
                />
                <IconButton
                  label={`Remove ${title}`}
                  onClick={() => setCourses(courses.filter((course) => course.key !== key))}
                >
                  <Trash2 />
                </IconButton>
              </fieldset>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-fg-2">
        {courses.length === 0 ? (
          'Add the courses that are planned, or one that is repeated.'
        ) : (
          <>
            CGPA after {courses.length === 1 ? 'this course' : `these ${courses.length} courses`}:{' '}
            <b className="text-fg">{average(sums).toFixed(2)}</b>, {sums.credits} credit hours counted.
          </>
        )}
      </p>
    </>
  );
}
