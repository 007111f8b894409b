import { studentUpdate } from '../../contract/students/students.ts';
import type { DocumentKind } from '../../domain/documents/kinds.ts';
import { fromFraction } from '../../domain/student.ts';
import type { Tx } from '../db/schema.ts';
import { Printer } from '../documents/pdf/printer.ts';
import { addBatch } from '../documents/register/batches.ts';
import { revokeDocument } from '../documents/register/documents.ts';
import { printDocuments, storeDocuments } from '../documents/register/issuer.ts';
import type { DocumentOrder } from '../documents/register/make-documents.ts';
import { getSigningKey } from '../documents/verification/signing-keys.ts';
import type { Author } from '../history/record-change.ts';
import { getInstitution, updateInstitution } from '../institution/institution.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findStudent, presentStudent } from '../students/queries.ts';
import { updateStudent } from '../students/write-student.ts';

const COLLEGE = {
  name: 'Rohtas College of Engineering',
  short_name: 'RCE',
  address: 'Grand Trunk Road\nJhelum 49600',
  signatories: [
    { name: 'Dr Shaheena Bangulzai', title: 'Controller of Examinations' },
    { name: 'Farhan Jogi', title: 'Registrar' },
  ],
  logo: null,
  public_url: null,
  programmes: [
    { department: 'EE' as const, title: 'Bachelor of Engineering in Electrical Engineering' },
    { department: 'CE' as const, title: 'Bachelor of Engineering in Computer and Software Engineering' },
    { department: 'ME' as const, title: 'Bachelor of Engineering in Mechanical Engineering' },
    { department: 'MTS' as const, title: 'Bachelor of Engineering in Mechatronics and Control' },
  ],
};

/** Enters an invented institution where none has been entered. */
export async function seedInstitution(tx: Tx, author: Author): Promise<void> {
  const { version } = await getInstitution(tx);
  if (version === 0) await updateInstitution(tx, author, COLLEGE, undefined);
}

/** Documents are registered for an account; this is nobody's, for an author without one. */
const NO_ACCOUNT = 0;

/**
 * Issues documents of each state: transcripts of graduates, of which one is revoked and one superseded, and result cards of students
 * whose semesters are final.
 *
 * @param site where their codes lead
 */
export async function seedDocuments(tx: Tx, secrets: Secrets, author: Author, site: string): Promise<void> {
  const printer = new Printer();
  const registrar = { ...author, id: author.id ?? NO_ACCOUNT };
  const issue = async (kind: DocumentKind, semester: number | null, ids: readonly string[]) => {
    if (ids.length === 0) return [];
    const order: DocumentOrder = {
      kind,
      semester,
      official: true,
      portrait: false,
      site,
      printedBy: author.name,
      purpose: 'Application for a scholarship',
      to: null,
    };
    const key = await getSigningKey(tx, secrets, author);
    const task = { order, key, institution: await getInstitution(tx) };
    const { documents } = await printDocuments({ db: tx, printer }, ids, task);
    const { batch_id } = await addBatch(tx, registrar, order, { students: ids, refused: [] });
    await storeDocuments(tx, author, { documents, order, batchId: batch_id });
    await tx
      .updateTable('document_batches')
      .set({ state: 'done', done: documents.length })
      .where('batch_id', '=', batch_id)
      .execute();
    return documents.map(({ serial }) => serial);
  };
  try {
    const graduates = await findGraduates(tx);
    const [revoked] = await issue('transcript', null, graduates);
    if (revoked !== undefined)
      await revokeDocument(tx, registrar, revoked, 'Issued to another person with the same name');
    const superseded = graduates[1];
    if (superseded !== undefined) await correctBirthDate(tx, author, superseded);
    await issue('result-card', 1, await findNotified(tx));
  } finally {
    await printer.close();
  }
}

async function findGraduates(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('students')
    .select('id')
    .where('status', '=', 'graduated')
    .where((eb) =>
      eb.exists(eb.selectFrom('families').select('student_id').whereRef('student_id', '=', 'students.id')),
    )
    .orderBy('id')
    .limit(4)
    .execute();
  return rows.map(({ id }) => id);
}

/** Students with a final result of a mark sheet in the first semester. */
async function findNotified(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('sheet_results as r')
    .innerJoin('sheets as s', 's.sheet_id', 'r.sheet_id')
    .select('r.student_id')
    .distinct()
    .where('r.semester', '=', 1)
    .where('s.notification', 'is not', null)
    .orderBy('r.student_id')
    .limit(3)
    .execute();
  return rows.map(({ student_id }) => student_id);
}

async function correctBirthDate(tx: Tx, author: Author, id: string): Promise<void> {
  const row = await findStudent(tx, id);
  if (row === undefined) return;
  const { fsc_marks, matric_marks, ...student } = presentStudent(row);
  const corrected = studentUpdate.parse({
    ...student,
    fsc_marks: fromFraction(fsc_marks),
    matric_marks: fromFraction(matric_marks),
    dob: `${student.dob.slice(0, 4)}-01-01`,
  });
  await updateStudent(tx, { ...author, role: 'admin' }, id, corrected, undefined);
}
