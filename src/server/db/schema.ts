import type { Generated, Kysely, Transaction } from 'kysely';
import type { Slot } from '../../contract/academics.ts';
import type { BulkAction } from '../../contract/bulk.ts';
import type { ExportProgress } from '../../contract/export.ts';
import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';

/**
 * The tables as both engines hold them: text ids, ISO dates and times (UTC) as text, whole numbers for
 * grade half-points, credit hours and hundredths. `version` starts at 1 and grows with each change of the row.
 */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  attempts: AttemptsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: { code_hash: string; user_id: number };
  identities: { issuer: string; subject: string; user_id: number; linked_at: string };
  provider_sign_ins: ProviderSignInsTable;
  students: StudentsTable;
  families: FamiliesTable;
  semesters: SemestersTable;
  semester_subjects: SemesterSubjectsTable;
  student_terms: { term: string; student_id: string };
  cohorts: CohortsTable;
  cohort_cgpas: CohortsTable & { tenth: number };
  course_results: CourseResultsTable;
  courses: CoursesTable;
  course_marks: CourseMarksTable;
  pictures: { id: string; data: Uint8Array };
  idempotency_keys: IdempotencyKeysTable;
  bulk_changes: BulkChangesTable;
  history: HistoryTable;
  history_links: HistoryLinksTable;
  history_head: HistoryHeadTable;
  replaced_marks: ReplacedMarksTable;
  saved_views: SavedViewsTable;
  backup_schedule: BackupScheduleTable;
  exports: ExportsTable;
  schema_versions: { version: number; name: string; applied_at: string };
}

/** Either the database or the transaction one is inside of. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

interface UsersTable {
  id: Generated<number>;
  name: string;
  email: string;
  /** The address in lower case; unique. */
  email_key: string;
  role: 'admin' | 'staff' | 'viewer';
  password_hash: string;
  /** Address of the profile picture. */
  picture: string | null;
  version: number;
  created_at: string;
  /** Since when nobody can sign in to it; null for an account in use. */
  locked_at: string | null;
}

interface SessionsTable {
  /** SHA-256 of the token, hexadecimal; the token itself is nowhere. */
  token_hash: string;
  user_id: number;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  /** The network address and the browser that it was started from; null for one older than these columns. */
  address: string | null;
  user_agent: string | null;
  /** Where the server's log of changes stood after the session's last write; null where nobody needs to know. */
  written_up_to: string | null;
}

/** Links to set a new password, each good for one use. */
interface PasswordResetsTable {
  /** SHA-256 of the link's token. */
  token_hash: string;
  user_id: number;
  expires_at: string;
}

/** Codes of an authenticator app that a person is asked for beside their password. */
interface SecondFactorsTable {
  user_id: number;
  /** In base 32, as the app was told it: codes can't be checked with a hash of it. */
  secret: string;
  begun_at: string;
  /** Null until a code has come back; it does not count before. */
  confirmed_at: string | null;
  /** The step of time of the last code taken; it and those before are not taken again. */
  last_step: number | null;
  /** Wrong codes since the last right one. */
  failures: number;
}

/** Sign-ins with the provider that are under way, each tied to one browser. */
interface ProviderSignInsTable {
  /** SHA-256 of what the browser has in a cookie. */
  browser_hash: string;
  state: string;
  nonce: string;
  verifier: string;
  /** JSON of who came back from the provider; null before. */
  identity: string | null;
  /** SHA-256 of what the page finishes with. */
  ticket_hash: string | null;
  expires_at: string;
}

/** Failed attempts counted in a window of time, by what is limited. */
interface AttemptsTable {
  key: string;
  failures: number;
  window_ends_at: string;
}

export interface StudentsTable {
  id: string;
  first_name: string;
  last_name: string;
  dob: string;
  joining_date: string;
  phone_number: string | null;
  gender: 'M' | 'F' | null;
  /** Hundredths of a mark, 10000 to 110000. */
  fsc_marks: number;
  fsc_year: number;
  fsc_div: number;
  matric_marks: number;
  matric_year: number;
  matric_div: number;
  current_sem: number;
  department: 'EE' | 'CE' | 'ME' | 'MTS';
  degree: string;
  syn: 'A' | 'B' | 'C';
  reason: string | null;
  img: string | null;
  version: number;
  /** What follows is worked out from the record: see `students/listing.ts`. */
  id_key: Generated<string>;
  name_key: Generated<string>;
  degree_key: Generated<string>;
  search_text: Generated<string>;
  /** Hundredths, as on the record; -1 for none. */
  cgpa: Generated<number>;
  /** Hundredths by which the latest SGPA is less than the one before; 0 where it is not. */
  fall: Generated<number>;
  is_complete: Generated<number>;
}

/** How many students have all of this in common; rows of none may stay. */
export interface CohortsTable {
  department: StudentsTable['department'];
  degree: string;
  syn: StudentsTable['syn'];
  current_sem: number;
  /** `''` where it is not known. */
  gender: 'M' | 'F' | '';
  is_complete: number;
  students: number;
}

/** How many graded results a course has with each grade, over all semesters of all students. */
interface CourseResultsTable {
  course_id: number;
  half_points: number;
  results: number;
}

export interface FamiliesTable {
  student_id: string;
  father_name: string;
  father_occupation: string;
  mother_name: string | null;
  mother_occupation: string | null;
  number_siblings: number | null;
  father_phone: string | null;
  mother_phone: string | null;
  home_phone: string | null;
  address: string | null;
  version: number;
}

interface SemestersTable {
  academic_id: Generated<number>;
  student_id: string;
  semester: number;
  /** Hundredths of a grade point, 0 to 400. */
  sgpa: number;
  cgpa: number;
  version: number;
}

/** The filled slots of a semester. */
export interface SemesterSubjectsTable {
  student_id: string;
  semester: number;
  /** 1 to 10. */
  slot: Slot;
  title: string;
  /** Of the catalogue, or of a course that has been deleted since. */
  course_id: number | null;
  credits: number | null;
  /** Twice the grade points. */
  half_points: number | null;
}

export interface CoursesTable {
  course_id: number;
  course_code: string;
  course_name: string;
  course_description: string | null;
  /** JSON of the `MarksTally` of its marks. */
  tally: string;
  version: number;
}

/**
 * Marks are kept in pieces of many: they belong to no student and are only ever read as a whole, and a row for each
 * of a million would cost fifty times as much to store.
 */
interface CourseMarksTable {
  course_id: number;
  /** From 1, in the order of the uploads. */
  piece: number;
  /** JSON array of marks. */
  marks: string;
}

/** Answers to creates that carried a key, so that a retry is answered alike and makes nothing. */
interface IdempotencyKeysTable {
  user_id: number;
  key: string;
  /** SHA-256 of what was asked. */
  fingerprint: string;
  etag: string;
  /** JSON. */
  reply: string;
  created_at: string;
}

/** Marks that gave way to others or went with their course, under the number of the history entry that tells of it. */
interface ReplacedMarksTable {
  history_id: number;
  piece: number;
  marks: string;
}

/** A person's own names for views of the list of students. */
export interface SavedViewsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** The name folded; unique among the person's. */
  name_key: string;
  /** JSON of the `StudentView`. */
  view: string;
  version: number;
  created_at: string;
}

/** When scheduled backups were made: the one row that processes decide by who makes the next. */
interface BackupScheduleTable {
  id: number;
  /** When the latest was begun, or counts as begun so that it is tried again sooner. */
  begun_at: string;
  /** When the latest that came out well was begun. */
  good_at: string | null;
}

/** Exports that are being fetched, or were until a minute ago. */
interface ExportsTable extends ExportProgress {
  id: string;
  user_id: number;
  is_over: number;
  /** When the process that sends it last told of it. */
  seen_at: string;
}

/** What was done to many students in one go; the history holds what it did to each. */
interface BulkChangesTable {
  id: Generated<number>;
  at: string;
  user_id: number | null;
  action: BulkAction;
  students: number;
  /** JSON of the answer to its undo; null as long as it has not been undone. */
  undo: string | null;
}

interface HistoryTable {
  id: Generated<number>;
  at: string;
  /** Who made the change; the name as it was then. Null for what the product did by itself. */
  user_id: number | null;
  user_name: string | null;
  action: HistoryAction;
  entity: HistoryEntity;
  entity_id: string;
  /** JSON of the thing before and after; null before a create and after a delete. */
  before: string | null;
  after: string | null;
  /** The change of many students that this was part of. */
  bulk_id: Generated<number | null>;
}

/** The chain of the history's entries: see `history/chain.ts`. */
interface HistoryLinksTable {
  /** From 1, in the order in which their transactions ended. */
  number: number;
  history_id: number;
  hash: string;
}

/** Where the chain goes on: one row, as soon as there is an entry. */
interface HistoryHeadTable {
  id: 1;
  number: number;
  hash: string;
}
