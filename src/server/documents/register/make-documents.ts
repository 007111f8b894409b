import { randomBytes } from 'node:crypto';
import type { Institution } from '../../../contract/installation/institution.ts';
import { computeFigures, outsideCredits } from '../../../domain/documents/figures.ts';
import { HAND_CODE_BYTES, toHandCode } from '../../../domain/documents/hand-code.ts';
import type { DocumentKind } from '../../../domain/documents/kinds.ts';
import { toSerial } from '../../../domain/documents/serial.ts';
import { checkDegree } from '../../../domain/grading/degree.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import type { Db } from '../../db/schema.ts';
import { findPicture, findPictureId } from '../../pictures/store-picture.ts';
import {
  type DocumentContent,
  hashContent,
  letterhead,
  programmeName,
  studentName,
} from '../content/content.ts';
import { hashFigures, readRecords, type StoredRecord } from '../content/records.ts';
import type { PrintJob } from '../pdf/print-job.ts';
import { signCode } from '../verification/code.ts';
import type { SigningKey } from '../verification/signing-keys.ts';
import { lastSemester } from './selection.ts';

/** The order of documents, as a batch keeps it. */
export interface DocumentOrder {
  kind: DocumentKind;
  /** The semester of result cards; null for transcripts. */
  semester: number | null;
  official: boolean;
  portrait: boolean;
  purpose: string | null;
  to: string | null;
  /** Address of this installation, which the QR codes lead to. */
  site: string;
  printedBy: string;
  /** Why the paper of its only student is issued in spite of holds. */
  override?: string | undefined;
}

/** The pictures of documents, each read once. */
export class Pictures {
  readonly #db: Db;
  readonly #known = new Map<string, Promise<Buffer<ArrayBuffer> | null>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Null for a URL without a stored picture. */
  get(url: string | null): Promise<Buffer<ArrayBuffer> | null> {
    const id = findPictureId(url);
    if (id === undefined) return Promise.resolve(null);
    const found = this.#known.get(id) ?? findPicture(this.#db, id).then((picture) => picture ?? null);
    // Portraits are used once; only the logo is on each document.
    if (this.#known.size < 2) this.#known.set(id, found);
    return found;
  }
}

/** The course codes that a record needs, by id. */
async function readCourseCodes(db: Db, records: Iterable<StoredRecord>): Promise<Record<string, string>> {
  const ids = new Set([...records].flatMap(({ subjects }) => subjects.map(({ course_id }) => course_id)));
  const known = [...ids].filter((id) => id !== null);
  if (known.length === 0) return {};
  const rows = await db
    .selectFrom('courses')
    .select(['course_id', 'course_code'])
    .where('course_id', 'in', known)
    .execute();
  return Object.fromEntries(rows.map(({ course_id, course_code }) => [course_id, course_code]));
}

/**
 * The content of a document on each of these students, without a serial. Those who have no such document any more are left out.
 *
 * @param made.records with their terms, where they have just been read
 */
export async function makeContents(
  db: Db,
  ids: readonly string[],
  made: {
    order: DocumentOrder;
    institution: Institution;
    day: string;
    records?: ReadonlyMap<string, StoredRecord> | undefined;
  },
): Promise<DocumentContent[]> {
  const { order, institution, day, records = await readRecords(db, ids, { hasTerms: true }) } = made;
  const codes = await readCourseCodes(db, records.values());
  return ids.flatMap((id) => {
    const record = records.get(id);
    const last = record && lastSemester(record, order);
    if (record === undefined || last === undefined) return [];
    const isFinal =
      order.kind === 'transcript' &&
      last === SEMESTER_COUNT &&
      checkDegree(record.semesters.length, record.subjects, record.policy.rules).passed === true;
    const figures = computeFigures(record, order.kind, last);
    const shown = new Set(
      figures.semesters.flatMap(({ subjects }) => subjects.map(({ course_id }) => course_id)),
    );
    return {
      kind: order.kind,
      semester: last,
      serial: null,
      issued_on: day,
      figures,
      degree_title:
        institution.programmes.find(({ department }) => department === record.department)?.title ?? null,
      terms: record.terms,
      course_codes: Object.fromEntries(Object.entries(codes).filter(([course]) => shown.has(Number(course)))),
      policy_id: record.policy.policy_id,
      is_final: isFinal,
      completed_on: isFinal && record.status === 'graduated' ? record.statusDate : null,
      institution: letterhead.parse(institution),
      portrait: order.portrait ? record.portrait : null,
    };
  });
}

/** An official document, ready to be registered. */
export interface SignedDocument {
  serial: string;
  content: DocumentContent;
  json: string;
  contentHash: string;
  figures: string;
  code: string;
  handCode: string;
}

/** Gives contents their serials and codes. @param firstNumber of the first one in the year of its issue */
export function signDocuments(
  contents: readonly DocumentContent[],
  firstNumber: number,
  { keyId, privateKey }: SigningKey,
): SignedDocument[] {
  return contents.map((unsigned, i) => {
    const { figures, issued_on, kind, semester } = unsigned;
    const serial = toSerial(Number(issued_on.slice(0, 4)), firstNumber + i);
    const content = { ...unsigned, serial };
    const json = JSON.stringify(content);
    const contentHash = hashContent(json);
    const code = signCode(
      {
        keyId,
        kind,
        semester,
        serial,
        contentHash,
        issuedOn: issued_on,
        studentId: figures.student.id,
        studentName: studentName(figures.student),
        programme: programmeName(unsigned),
        credits: figures.credits_earned + outsideCredits(figures),
        cgpa: figures.cgpa,
      },
      privateKey,
    );
    const handCode = toHandCode(randomBytes(HAND_CODE_BYTES));
    return { serial, content, json, contentHash, figures: hashFigures(figures), code, handCode };
  });
}

/** Makes the job that a printer needs for a document. */
export async function toPrintJob(
  pictures: Pictures,
  content: DocumentContent,
  codes: { code: string; handCode: string } | null,
  { site, printedBy }: Pick<DocumentOrder, 'site' | 'printedBy'>,
): Promise<PrintJob> {
  return {
    content,
    codes: codes && {
      // Behind the hash, which browsers keep to themselves: no log of a proxy or server has the code.
      url: `${site}/verify#${codes.code}`,
      site: `${site.replace(/^https?:\/\//, '')}/verify`,
      handCode: codes.handCode,
    },
    printedBy,
    logo: await pictures.get(content.institution.logo),
    portrait: await pictures.get(content.portrait),
  };
}
