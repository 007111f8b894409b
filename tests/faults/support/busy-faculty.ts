import type { StudentInput } from '../../../src/contract/students/students.ts';
import type { Api } from '../../support/api.ts';
import { aFamily, aSemester, aStudent, unique } from '../../support/records.ts';

/** Number of records that are created, completed, edited and deleted concurrently. */
const LIVES = 400;
const READS = 0.6;

interface Life {
  student: StudentInput;
  step: number;
  isBusy: boolean;
}

/** A realistic load: most requests read; the others create, edit and delete records in a cycle. */
export class Faculty {
  underWay = 0;
  answered = 0;
  refused = 0;
  /** Refused with 503 by an overloaded server. */
  turnedAway = 0;
  readonly #api: Api;
  readonly #lives = Array.from({ length: LIVES }, newLife);
  #waiting: (() => void) | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Sends one more request without waiting for the reply; {@link settled} waits for all. */
  ask(): void {
    if (Math.random() < READS) {
      void this.#call('GET', this.#something());
      return;
    }
    const life = this.#lives[Math.floor(Math.random() * LIVES)];
    if (life === undefined || life.isBusy) void this.#call('GET', '/api/students?limit=50');
    else void this.#goOn(life);
  }

  /** Resolves when all requests have their replies. */
  async settled(): Promise<void> {
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.#waiting = resolve;
    });
  }

  #something(): string {
    const life = this.#lives[Math.floor(Math.random() * LIVES)];
    const paths = [
      '/api/students?limit=100',
      '/api/students?q=mu',
      '/api/courses',
      '/api/students?sort=name&direction=descending',
    ];
    // Only existing records: the others would answer 404.
    if (life !== undefined && life.step > 0 && !life.isBusy) paths.push(`/api/students/${life.student.id}`);
    return paths[Math.floor(Math.random() * paths.length)] ?? '/api/courses';
  }

  async #goOn(life: Life): Promise<void> {
    const { student } = life;
    const { id } = student;
    const [method, path, body] = (
      [
        ['POST', '/api/students', student],
        ['POST', '/api/students/family', aFamily(id)],
        [
          'POST',
          '/api/students/academics',
          aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
        ],
        ['PUT', `/api/students/${id}`, { ...student, last_name: unique() }],
        ['PUT', `/api/students/${id}`, { ...student, reason: unique() }],
        ['DELETE', `/api/students/${id}`, undefined],
      ] as const
    )[life.step] ?? ['GET', '/api/courses', undefined];
    life.isBusy = true;
    const isDone = await this.#call(method, path, body);
    if (isDone && method === 'DELETE') Object.assign(life, newLife());
    else Object.assign(life, { step: life.step + (isDone ? 1 : 0), isBusy: false });
  }

  async #call(method: string, path: string, body?: unknown): Promise<boolean> {
    this.underWay += 1;
    let isDone = false;
    try {
      const answer = await this.#api.send(method, path, body);
      await answer.arrayBuffer();
      isDone = answer.ok;
      // A read of a record that is being deleted may answer 404.
      if (answer.status === 503) this.turnedAway += 1;
      else if (!answer.ok && !(method === 'GET' && answer.status === 404)) this.refused += 1;
    } catch {
      this.refused += 1;
    }
    this.answered += 1;
    this.underWay -= 1;
    if (this.underWay === 0) this.#waiting?.();
    return isDone;
  }
}

const newLife = (): Life => ({ student: aStudent({ current_sem: 2 }), step: 0, isBusy: false });
