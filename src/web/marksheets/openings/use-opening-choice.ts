import { useState } from 'react';
import type { OpenableClass, OpenedSheet } from '../../../contract/marksheets/openings.ts';
import { OPENING_LIMITS } from '../../../domain/marksheets/opening-limits.ts';
import { TEMPLATES, toCategoriesBody } from '../setup/setup-values.ts';

type SomeClass = Pick<OpenableClass, 'department' | 'degree' | 'semester'>;
export const classKey = ({ department, degree, semester }: SomeClass) =>
  `${department} ${degree} ${semester}`;

type SomeRow = Pick<OpenedSheet, 'department' | 'degree' | 'row'>;
export const rowKey = ({ department, degree, row }: SomeRow) => `${department} ${degree} ${row}`;

export const canOpen = ({ scheme }: OpenableClass) => scheme !== null && scheme.rows > 0;

/** Of each batch the semester that most of its students are in, as many as one opening takes. */
function presetClasses(classes: readonly OpenableClass[]): ReadonlySet<string> {
  const largest = new Map<string, OpenableClass>();
  for (const one of classes.filter(canOpen)) {
    const batch = `${one.department} ${one.degree}`;
    const known = largest.get(batch);
    if (known === undefined || known.students < one.students) largest.set(batch, one);
  }
  return new Set([...largest.values()].slice(0, OPENING_LIMITS.classes).map(classKey));
}

const [WITHOUT_LAB, WITH_LAB] = TEMPLATES;

/** The classes and courses that are chosen on the screen: all that can be until somebody changes it. */
export function useOpeningChoice(classes: readonly OpenableClass[]) {
  const [changed, setChanged] = useState<ReadonlySet<string>>();
  const [courses, setCourses] = useState<ReadonlyMap<string, SomeRow & { course_ids: number[] }>>(new Map());
  const chosen = changed ?? presetClasses(classes);
  const opened = classes.filter((one) => chosen.has(classKey(one)));
  const degrees = new Set(opened.map(({ department, degree }) => `${department} ${degree}`));
  return {
    isChosen: (one: SomeClass) => chosen.has(classKey(one)),
    choose: (some: readonly OpenableClass[], isChosen: boolean) => {
      const next = new Set(chosen);
      for (const key of some.filter(canOpen).map(classKey)) {
        if (isChosen) next.add(key);
        else next.delete(key);
      }
      setChanged(next);
    },
    coursesOf: (row: SomeRow) => courses.get(rowKey(row))?.course_ids ?? [],
    chooseCourse: (row: SomeRow, courseId: number, isChosen: boolean) => {
      const { department, degree } = row;
      const before = courses.get(rowKey(row))?.course_ids ?? [];
      const course_ids = isChosen ? [...before, courseId] : before.filter((one) => one !== courseId);
      setCourses(new Map(courses).set(rowKey(row), { department, degree, row: row.row, course_ids }));
    },
    count: opened.length,
    /** What is sent; undefined without a class. */
    body:
      opened.length === 0
        ? undefined
        : {
            classes: opened.map(({ department, degree, semester }) => ({ department, degree, semester })),
            choices: [...courses.values()].filter(({ department, degree }) =>
              degrees.has(`${department} ${degree}`),
            ),
            categories: toCategoriesBody(WITHOUT_LAB?.categories ?? []),
            lab_categories: toCategoriesBody(WITH_LAB?.categories ?? []),
          },
  };
}

export type OpeningChoice = ReturnType<typeof useOpeningChoice>;
export type OpeningBody = NonNullable<OpeningChoice['body']>;
