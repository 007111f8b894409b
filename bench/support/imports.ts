import {
  type ImportKind,
  type ImportPreview,
  importAppliedReply,
  importCreatedReply,
  importPreview,
  importUndoneReply,
  importUndoPreview,
} from '../../src/contract/imports.ts';
import type { GeneratedStudent } from '../../src/server/seed/invent-faculty.ts';
import { Api } from '../../tests/support/api.ts';

/** Students with families, as a registrar has them. */
export function studentRows(students: Iterable<GeneratedStudent>): object[] {
  return [...students].flatMap(({ student, family }) => {
    if (family === null) return [];
    const { img: _, ...base } = student;
    const { student_id: __, ...details } = family;
    return { ...base, ...details };
  });
}

/** The calls of an import, by one person. */
export class Imports {
  readonly #url: string;
  readonly #token: string;
  readonly #api: Api;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#api = new Api(url, token);
  }

  async upload(kind: ImportKind, file: string | Uint8Array<ArrayBuffer>): Promise<string> {
    const form = new FormData();
    form.set('kind', kind);
    form.set('file', new Blob([file]), 'rows');
    const response = await fetch(new URL('/api/imports', this.#url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}` },
      body: form,
    });
    if (response.status !== 201) throw new Error(`The upload was answered with ${response.status}.`);
    return `/api/imports/${importCreatedReply.parse(await response.json()).import.import_id}`;
  }

  async preview(url: string): Promise<ImportPreview> {
    return importPreview.parse(await this.#api.post(`${url}/preview`, {}));
  }

  async apply(url: string, { fingerprint }: ImportPreview): Promise<string> {
    return importAppliedReply.parse(await this.#api.post(`${url}/apply`, { fingerprint })).message;
  }

  async undo(url: string): Promise<string> {
    const { fingerprint } = importUndoPreview.parse(await this.#api.get(`${url}/undo`));
    return importUndoneReply.parse(await this.#api.post(`${url}/undo`, { fingerprint })).message;
  }

  async import(kind: ImportKind, file: string): Promise<void> {
    const url = await this.upload(kind, file);
    await this.apply(url, await this.preview(url));
  }
}
