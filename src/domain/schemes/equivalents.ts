/** Two courses that count as one. */
export interface CoursePair {
  course_id: number;
  other_id: number;
}

/** Groups of courses that count as one: symmetric and transitive. Each is named by its smallest course id. */
export class CourseGroups {
  readonly #names = new Map<number, number>();

  constructor(pairs: readonly CoursePair[]) {
    /** From a course to another one of its group, in the end to the smallest one. */
    const parents = new Map<number, number>();
    const findName = (id: number): number => {
      let name = id;
      for (
        let parent = parents.get(name);
        parent !== undefined && parent !== name;
        parent = parents.get(name)
      )
        name = parent;
      // Later searches are short.
      for (let at = id; at !== name; ) {
        const next = parents.get(at) ?? name;
        parents.set(at, name);
        at = next;
      }
      return name;
    };
    for (const { course_id, other_id } of pairs) {
      const [one, other] = [findName(course_id), findName(other_id)];
      const name = Math.min(one, other);
      for (const id of [course_id, other_id, one, other]) parents.set(id, name);
    }
    for (const id of parents.keys()) this.#names.set(id, findName(id));
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
