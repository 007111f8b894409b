/** How far a course has come that may fill a row, from the best. */
export const COURSE_STATES = ['passed', 'in-progress', 'failed'] as const;
export type CourseState = (typeof COURSE_STATES)[number];

/** A course that a student has taken, or several that count as one. The order of the list is its order of preference. */
export interface AssignableCourse {
  state: CourseState;
  /** Positions of the rows that it may fill. */
  rows: readonly number[];
}

const OPEN = -1;

/**
 * Assigns courses to rows so that as many rows as possible have a passed course; of the rest as many as possible one in
 * progress, then a failed one. Of several such assignments the first row has the best state that it can have, then the second
 * one …; among these, again row by row, the course that comes first in the list.
 *
 * A course has one state in whatever row. So augmenting by courses in the order of their states gives the greatest counts, and an
 * exchange that keeps the counts is a cycle in which a free course may take the place of an assigned one of the same state.
 *
 * @param rowCount rows are numbered from 0
 * @returns the position of the course of each row; undefined for a row without one
 */
export function assignCourses(
  rowCount: number,
  courses: readonly AssignableCourse[],
): (number | undefined)[] {
  const matching = new Matching(rowCount, courses);
  for (const state of COURSE_STATES) {
    for (const [course, one] of courses.entries()) if (one.state === state) matching.augment(course);
  }
  matching.fixStates();
  matching.fixCourses();
  return matching.courseOfRow.map((course) => (course === OPEN ? undefined : course));
}

class Matching {
  /** The course of each row. */
  readonly courseOfRow: number[];
  /** The row of each course. */
  readonly #rowOfCourse: number[];
  /** The courses of each row, by their states and in order of preference. */
  readonly #options: number[][];
  readonly #courses: readonly AssignableCourse[];
  /** The state that a row keeps, by its position; undefined while it may have any. */
  readonly #fixed: (CourseState | 'open' | undefined)[];
  /** Rows before this one keep their course. */
  #kept = 0;

  constructor(rowCount: number, courses: readonly AssignableCourse[]) {
    this.#courses = courses;
    this.courseOfRow = Array.from({ length: rowCount }, () => OPEN);
    this.#rowOfCourse = courses.map(() => OPEN);
    this.#fixed = this.courseOfRow.map(() => undefined);
    this.#options = this.courseOfRow.map(() => []);
    const inOrder = [...courses.keys()].sort((a, b) => this.#rank(a) - this.#rank(b));
    for (const course of inOrder)
      for (const row of courses[course]?.rows ?? []) this.#options[row]?.push(course);
  }

  /** Assigns a course if it can be without leaving out another one. */
  augment(course: number, seen = new Set<number>()): boolean {
    for (const row of this.#courses[course]?.rows ?? []) {
      if (seen.has(row)) continue;
      seen.add(row);
      const other = this.#courseOf(row);
      if (other !== OPEN && !this.augment(other, seen)) continue;
      this.#assign(row, course);
      return true;
    }
    return false;
  }

  /** Gives each row in order the best state that it can have, and keeps it so. */
  fixStates(): void {
    for (const row of this.courseOfRow.keys()) {
      const present = this.#rank(this.#courseOf(row));
      this.#exchange(row, (course) => this.#rank(course) < present);
      this.#fixed[row] = this.#stateOf(row);
    }
  }

  /** Gives each row in order the first course that it can have, and keeps it so. The states stay. */
  fixCourses(): void {
    for (const row of this.courseOfRow.keys()) {
      const present = this.#courseOf(row);
      if (present !== OPEN) this.#exchange(row, (course) => course < present && this.#allows(row, course));
      this.#kept = row + 1;
    }
  }

  #courseOf(row: number): number {
    return this.courseOfRow[row] ?? OPEN;
  }

  /** The position of its state; after all of them for none. */
  #rank(course: number): number {
    const state = this.#courses[course]?.state;
    return state === undefined ? COURSE_STATES.length : COURSE_STATES.indexOf(state);
  }

  #stateOf(row: number): CourseState | 'open' {
    return this.#courses[this.#courseOf(row)]?.state ?? 'open';
  }

  #assign(row: number, course: number): void {
    this.courseOfRow[row] = course;
    if (course !== OPEN) this.#rowOfCourse[course] = row;
  }

  /** Whether a row that keeps its state may have a course. */
  #allows(row: number, course: number): boolean {
    const fixed = this.#fixed[row];
    return fixed === undefined || fixed === this.#courses[course]?.state;
  }

  /**
   * Gives a row the first wanted course that it can have while the number of courses of each state stays.
   *
   * Finds from the end which courses can be taken from their rows: the one that the row gives up, free ones with the state of that
   * one, and those whose row can have such a course instead.
   *
   * @returns false when it can have none
   */
  #exchange(row: number, isWanted: (course: number) => boolean): boolean {
    // Most rows have the best of their courses.
    if (this.#options[row]?.some(isWanted) !== true) return false;
    const given = this.#courseOf(row);
    const isOpen = given === OPEN;
    /** What each row that can move takes instead: a course, or {@link OPEN}. */
    const moves = new Map<number, number>();
    /** Rows that give a course of a state in exchange for a free one. */
    const givers = new Map<CourseState, number>();
    /** The open row that is filled when another one becomes open. */
    let filled: number | undefined;
    const canTake = (course: number): boolean => {
      if (course === given) return true;
      const owner = this.#rowOfCourse[course] ?? OPEN;
      if (owner !== OPEN) return moves.has(owner);
      const state = this.#courses[course]?.state;
      return state !== undefined && ((!isOpen && state === this.#courses[given]?.state) || givers.has(state));
    };
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (let other = this.#kept; other < this.courseOfRow.length; other += 1) {
        if (other === row || moves.has(other)) continue;
        const own = this.#courseOf(other);
        let move = this.#options[other]?.find(
          (course) => course !== own && this.#allows(other, course) && canTake(course),
        );
        const mayBeOpen = own !== OPEN && this.#fixed[other] === undefined;
        if (move === undefined && mayBeOpen && (isOpen || filled !== undefined)) move = OPEN;
        if (move === undefined) continue;
        moves.set(other, move);
        const state = this.#courses[own]?.state;
        if (state === undefined) filled ??= other;
        else if (!givers.has(state)) givers.set(state, other);
        isDone = false;
      }
    }
    const taken = this.#options[row]?.find((course) => isWanted(course) && canTake(course));
    if (taken === undefined) return false;
    this.#move({ row, course: taken, given }, { moves, givers, filled });
    return true;
  }

  /** Carries out an exchange. */
  #move(
    { row, course, given }: { row: number; course: number; given: number },
    {
      moves,
      givers,
      filled,
    }: {
      moves: ReadonlyMap<number, number>;
      givers: ReadonlyMap<CourseState, number>;
      filled: number | undefined;
    },
  ): void {
    if (given !== OPEN) this.#rowOfCourse[given] = OPEN;
    for (let [taker, taken] = [row, course]; ; ) {
      const owner = this.#rowOfCourse[taken] ?? OPEN;
      this.#assign(taker, taken);
      let next = owner;
      if (owner === OPEN) {
        const state = this.#courses[taken]?.state;
        // The end: the course that the row gave up, or one of its state.
        if (taken === given || state === undefined || state === this.#courses[given]?.state) return;
        next = givers.get(state) ?? OPEN;
        this.#rowOfCourse[this.#courseOf(next)] = OPEN;
      }
      let move = moves.get(next) ?? OPEN;
      if (move === OPEN) {
        this.courseOfRow[next] = OPEN;
        // The row was open itself, or an open row takes its part.
        if (given === OPEN || filled === undefined) return;
        next = filled;
        move = moves.get(next) ?? OPEN;
      }
      [taker, taken] = [next, move];
    }
  }
}
