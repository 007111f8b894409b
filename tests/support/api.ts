import type { SignedIn } from '../../src/contract/accounts/accounts.ts';
import type { CourseInput } from '../../src/contract/courses.ts';
import type { StudentInput } from '../../src/contract/students/students.ts';
import { aCourse, aFamily, aSemester, aStudent, INSTITUTION, type Subject, unique } from './records.ts';

/** An account and its password. */
export interface Account extends SignedIn {
  password: string;
}

/** The API as one user. Calls throw if they are refused, so that no test runs without its records. */
export class Api {
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(url: string, token?: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Sends any request and returns the response with any status. */
  send(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = new Headers({ Accept: 'application/json' });
    if (this.#token !== undefined) headers.set('Authorization', `Bearer ${this.#token}`);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    return fetch(new URL(path, this.#url), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #succeed<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  get<Reply>(path: string): Promise<Reply> {
    return this.#succeed<Reply>('GET', path);
  }

  post<Reply>(path: string, body?: unknown): Promise<Reply> {
    return this.#succeed<Reply>('POST', path, body);
  }

  put<Reply>(path: string, body?: unknown): Promise<Reply> {
    return this.#succeed<Reply>('PUT', path, body);
  }

  /** As administrator: official documents need the name. */
  nameInstitution(): Promise<unknown> {
    return this.put('/api/institution', INSTITUTION);
  }

  /** Only a base record; the family step is not done yet. */
  async createStudent(changes: Partial<StudentInput> = {}): Promise<StudentInput> {
    const student = aStudent(changes);
    await this.post('/api/students', student);
    return student;
  }

  /** A whole record: base, family, and one semester for each list of subjects. */
  async createRecord(
    semesters: readonly (readonly Subject[])[],
    changes: Partial<StudentInput> = {},
  ): Promise<StudentInput> {
    const student = await this.createStudent({ current_sem: Math.max(1, semesters.length), ...changes });
    await this.post('/api/students/family', aFamily(student.id));
    for (const [i, subjects] of semesters.entries()) {
      await this.post('/api/students/academics', aSemester(student.id, i + 1, subjects));
    }
    return student;
  }

  /** A course with marks in six of the ten buckets. */
  async createCourse(): Promise<CourseInput> {
    const course = aCourse();
    await this.post('/api/courses', course);
    await this.post('/api/courses-marks', {
      course_id: course.course_id,
      marks: '35, 48.5, 52, 61, 64, 77, 93',
    });
    return course;
  }
}

/** Registers a staff account that no other test uses. */
export async function registerUser(url: string, name = 'Sana Malik'): Promise<Account> {
  const password = `pass word ${unique()}`;
  const signedIn = await new Api(url).post<SignedIn>('/api/register', {
    name,
    email: `${unique()}@faculty.example`,
    password,
    password_confirmation: password,
  });
  return { ...signedIn, password };
}
