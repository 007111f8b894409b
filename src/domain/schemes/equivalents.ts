/** Two courses that count as one. */
export interface CoursePair {
  course_id: number;
  other_id: number;
}

/** Groups of courses that count as one: symmetric and transitive. Each is named by its smallest course id. */
export class CourseGroups {
  readonly #names = new Map<number, number>();

  constructor(pairs: readonly CoursePair[]) {
    for (const { course_id, other_id } of pairs) {
      const [one, other] = [this.of(course_id), this.of(other_id)];
      const [name, merged] = [Math.min(one, other), Math.max(one, other)];
      this.#names.set(course_id, name);
      this.#names.set(other_id, name);
      for (const [id, group] of this.#names) if (group === merged) this.#names.set(id, name);
    }
  }

  /** The name of the group of a course; a course without equivalents is a group of its own. */
  of(courseId: number): number {
    return this.#names.get(courseId) ?? courseId;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The courses that have equivalents. */
  get courses(): readonly number[] {
    return [...this.#names.keys()];
  }
}

export const NO_EQUIVALENTS = new CourseGroups([]);
