import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { aStudent } from '../support/records.ts';
import type { Entry, Ledger } from './ledger.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Milliseconds between two changes of one writer, and before a failed request is repeated. */
const DELAY_MS = { betweenChanges: 60, afterFailure: 250 };

interface Answer {
  status: number;
  etag: string;
  body: unknown;
}

const stale = z.object({ current: z.object({ reason: z.string().nullable() }) });

/** A client that saves one change after another (students, edits, marks) and repeats each until it is known to be saved. */
export class Writer {
  readonly #name: string;
  readonly #url: string;
  readonly #token: string;
  readonly #ledger: Ledger;
  readonly #courseId: number;
  #student: { id: string; etag: string } | undefined;
  #count = 0;
  #isPaused = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(number: number, url: string, token: string, ledger: Ledger) {
    this.#name = `W${number}`;
    this.#courseId = number;
    this.#url = url;
    this.#token = token;
    this.#ledger = ledger;
  }

  /** Creates the course to which this writer adds marks. */
  async prepare(): Promise<void> {
    const course = { course_id: this.#courseId, course_code: this.#name, course_name: 'Thermodynamics' };
    const answer = await this.#send('POST', '/api/courses', course, { 'Idempotency-Key': this.#name });
    if (answer?.status !== 201) throw new Error(`The course was not created: ${JSON.stringify(answer)}`);
  }

  begin(): void {
    this.#isPaused = false;
    this.#idle = this.#work();
  }

  /** Resolves when the current change is complete. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#idle;
  }

  async #work(): Promise<void> {
    for (; !this.#isPaused; await pause(DELAY_MS.betweenChanges)) {
      this.#count += 1;
      if (this.#student === undefined || this.#count % 5 === 0) await this.#createStudent();
      else if (this.#count % 5 === 2) await this.#addMark();
      else await this.#editStudent(this.#student);
    }
  }

  async #createStudent(): Promise<void> {
    const id = `${this.#name}-${this.#count}`;
    const student = aStudent({ id, reason: `${id} created` });
    const { etag } = await this.#createUntilAcknowledged(
      'create',
      id,
      `${id} created`,
      'POST',
      '/api/students',
      student,
    );
    this.#student = { id, etag };
  }

  async #addMark(): Promise<void> {
    const mark = `${this.#count / 100}`;
    const body = { course_id: this.#courseId, marks: mark, mode: 'append' };
    await this.#createUntilAcknowledged(
      'marks',
      `${this.#courseId}`,
      mark,
      'POST',
      '/api/courses-marks',
      body,
    );
  }

  /** Repeats the request with the same idempotency key, so that the change is made only once. */
  async #createUntilAcknowledged(
    kind: Entry['kind'],
    id: string,
    mark: string,
    ...[method, path, body]: [string, string, unknown]
  ): Promise<Answer> {
    const began = performance.now();
    const headers = { 'Idempotency-Key': randomUUID() };
    for (;;) {
      const answer = await this.#send(method, path, body, headers);
      if (answer?.status === 201) {
        this.#acknowledge(began, { kind, id, mark, isAcknowledged: true });
        return answer;
      }
      await this.#recordFailure(method, path, answer);
    }
  }

  /** Edits the known version, so that the change is made only once: if an earlier attempt was stored, the next one answers 412. */
  async #editStudent(student: { id: string; etag: string }): Promise<void> {
    const began = performance.now();
    const path = `/api/students/${student.id}`;
    const mark = `${student.id} edit ${this.#count}`;
    const body = aStudent({ id: student.id, reason: mark });
    for (;;) {
      const answer = await this.#send('PUT', path, body, { 'If-Match': student.etag });
      if (answer?.status === 200) {
        student.etag = answer.etag;
        this.#acknowledge(began, { kind: 'edit', id: student.id, mark, isAcknowledged: true });
        return;
      }
      if (answer?.status !== 412) {
        await this.#recordFailure('PUT', path, answer);
        if (answer?.status !== 404) continue;
        // The student is lost, which the comparison reports.
        this.#student = undefined;
        return;
      }
      const latest = await this.#send('GET', `${path}/base`, undefined, {});
      if (latest?.status !== 200) continue;
      student.etag = latest.etag;
      if (stale.parse(answer.body).current.reason !== mark) continue;
      this.#ledger.entries.push({ kind: 'edit', id: student.id, mark, isAcknowledged: false });
      return;
    }
  }

  #acknowledge(began: number, entry: Entry): void {
    this.#ledger.entries.push(entry);
    this.#ledger.period.saved.push({ began, ended: performance.now() });
  }

  async #recordFailure(method: string, path: string, answer: Answer | undefined): Promise<void> {
    const { period } = this.#ledger;
    if (answer === undefined) period.unanswered += 1;
    else if (answer.status === 503) period.refused += 1;
    else
      period.unexpected.push(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await pause(DELAY_MS.afterFailure);
  }

  /** `undefined` if there is no complete response. */
  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer | undefined> {
    const began = performance.now();
    try {
      const response = await fetch(new URL(path, this.#url), {
        method,
        headers: { ...headers, Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const answer = {
        status: response.status,
        etag: response.headers.get('etag') ?? '',
        body: await response.json(),
      };
      if (response.status === 503 && !response.headers.has('retry-after')) {
        this.#ledger.period.unexpected.push(`${method} ${path} answered 503 without Retry-After`);
      }
      return answer;
    } catch {
      return undefined;
    } finally {
      const { period } = this.#ledger;
      period.slowest = Math.max(period.slowest, (performance.now() - began) / 1_000);
    }
  }
}
