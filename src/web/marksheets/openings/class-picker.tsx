import { useEffect, useRef } from 'react';
import type { OpenableClass } from '../../../contract/marksheets/openings.ts';
import { departmentName, formatCount } from '../../lib/format.ts';
import { canOpen, classKey, type OpeningChoice } from './use-opening-choice.ts';

interface ClassPickerProps {
  classes: readonly OpenableClass[];
  choice: OpeningChoice;
}

/** The classes by department, with the semester that their students are in. */
export function ClassPicker({ classes, choice }: ClassPickerProps) {
  const departments = [...new Set(classes.map(({ department }) => department))];
  return (
    <section aria-labelledby="classes-heading" className="rounded-panel border border-line">
      <div className="px-4 pt-3 pb-1">
        <h2 id="classes-heading">Classes</h2>
        <p className="text-fg-3 text-label">
          {choice.count} of {classes.length}, with the semester their students are in
        </p>
      </div>
      {departments.map((department) => {
        const own = classes.filter((one) => one.department === department);
        return (
          <fieldset
            key={department}
            className="min-w-0 border-line px-4 py-2 [&:not(:nth-child(2))]:border-t"
          >
            <legend className="sr-only">{departmentName(department)}</legend>
            <AllOfDepartment department={department} classes={own} choice={choice} />
            {own.map((one) => (
              <ClassBox key={classKey(one)} one={one} choice={choice} />
            ))}
          </fieldset>
        );
      })}
    </section>
  );
}

const LINE = 'relative flex min-h-8.5 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11';

function AllOfDepartment({ department, classes, choice }: ClassPickerProps & { department: string }) {
  const box = useRef<HTMLInputElement>(null);
  const possible = classes.filter(canOpen);
  const count = possible.filter(choice.isChosen).length;
  const isSome = count > 0 && count < possible.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className={LINE}>
      <input
        ref={box}
        type="checkbox"
        className="tick"
        checked={count > 0 && !isSome}
        disabled={possible.length === 0}
        onChange={({ target }) => choice.choose(possible, target.checked)}
      />
      <b className="min-w-11 font-[620]">{department}</b>
      <span className="wrap-anywhere min-w-0 text-fg-2">{departmentName(department)}</span>
    </label>
  );
}

function ClassBox({ one, choice }: { one: OpenableClass; choice: OpeningChoice }) {
  const { department, degree, semester, students, scheme } = one;
  return (
    <label className={LINE}>
      <input
        type="checkbox"
        className="tick"
        checked={choice.isChosen(one)}
        disabled={!canOpen(one)}
        onChange={({ target }) => choice.choose([one], target.checked)}
      />
      <span className="wrap-anywhere min-w-20 font-[540]">{`${department}-${degree}`}</span>
      <span className="flex-1 text-fg-2">
        Semester {semester}
        {!canOpen(one) && (
          <small className="block text-label text-warn">
            {scheme === null ? 'No scheme of studies' : 'The scheme has no row in it'}
          </small>
        )}
      </span>
      <span className="text-fg-2 tabular-nums">
        {formatCount(students)}
        <span className="sr-only"> students</span>
      </span>
    </label>
  );
}
