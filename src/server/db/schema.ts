import type { Generated, Kysely, Transaction } from 'kysely';
import type { PendingReason, Role } from '../../contract/accounts/accounts.ts';
import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';
import type { ImportKind, ImportRowState, ImportState } from '../../contract/imports.ts';
import type { RectificationKind, SheetState } from '../../contract/marksheets/sheets.ts';
import type { BulkAction } from '../../contract/students/bulk.ts';
import type { ExportProgress } from '../../contract/students/export.ts';
import type { Slot } from '../../contract/students/subject-slots.ts';
import type { DocumentKind } from '../../domain/documents/kinds.ts';
import type { HoldKind } from '../../domain/holds.ts';
import type { RowStatus } from '../../domain/marksheets/class-statistics.ts';
import type { Standing, Status } from '../../domain/student.ts';

/**
 * The tables, alike in SQLite and PostgreSQL: ids, ISO dates and times (UTC) are text; grade half-points, credit hours
 * and hundredths are whole numbers. `version` starts at 1 and increases with each change of the row.
 */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  password_resets: MailedLinksTable;
  email_verifications: MailedLinksTable;
  known_networks: KnownNetworksTable;
  attempts: AttemptsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: { code_hash: string; user_id: number };
  identities: { issuer: string; subject: string; user_id: number; linked_at: string };
  provider_sign_ins: ProviderSignInsTable;
  students: StudentsTable;
  families: FamiliesTable;
  semesters: SemestersTable;
  semester_subjects: SemesterSubjectsTable;
  student_former_ids: StudentFormerIdsTable;
  policies: PoliciesTable;
  schemes: SchemesTable;
  equivalents: EquivalentsTable;
  scheme_exceptions: SchemeExceptionsTable;
  outside_credits: OutsideCreditsTable;
  holds: HoldsTable;
  student_terms: { term: string; student_id: string };
  cohorts: CohortsTable;
  /** The counts of {@link CohortsTable}, added up over syndicates and standings. */
  batch_counts: Omit<CohortsTable, 'syn' | 'standing'>;
  /** `is_final` 1: by the final CGPA, 0: by the one that the record shows. */
  cohort_cgpas: CohortsTable & { tenth: number; is_final: number };
  course_results: CourseResultsTable;
  courses: CoursesTable;
  course_marks: CourseMarksTable;
  terms: TermsTable;
  institution: InstitutionTable;
  signing_keys: SigningKeysTable;
  document_batches: DocumentBatchesTable;
  documents: DocumentsTable;
  document_files: { serial: string; pdf: Uint8Array };
  pictures: { id: string; data: Uint8Array };
  idempotency_keys: IdempotencyKeysTable;
  bulk_changes: BulkChangesTable;
  imports: ImportsTable;
  import_rows: ImportRowsTable;
  import_columns: ImportColumnsTable;
  sheets: SheetsTable;
  sheet_rows: SheetRowsTable;
  sheet_teachers: SheetTeachersTable;
  sheet_registrations: SheetRegistrationsTable;
  openings: OpeningsTable;
  sheet_removed_rows: SheetRemovedRowsTable;
  sheet_results: SheetResultsTable;
  sheet_people: SheetPeopleTable;
  result_notifications: ResultNotificationsTable;
  history: HistoryTable;
  history_links: HistoryLinksTable;
  history_head: HistoryHeadTable;
  history_pending: HistoryPendingTable;
  replaced_marks: ReplacedMarksTable;
  saved_views: SavedViewsTable;
  backup_schedule: BackupScheduleTable;
  exports: ExportsTable;
  schema_versions: { version: number; name: string; applied_at: string };
}

/** The database, or the current transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface UsersTable {
  id: Generated<number>;
  name: string;
  email: string;
  /** The address in lower case; unique. */
  email_key: string;
  role: Role;
  password_hash: string;
  /** URL of the profile picture. */
  picture: string | null;
  version: number;
  created_at: string;
  /** When the account was locked; null while it may sign in. */
  locked_at: string | null;
  /** The step that the first sign-in still waits for; null if nothing. */
  waiting_for: PendingReason | null;
}

interface SessionsTable {
  /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
  token_hash: string;
  user_id: number;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  /** Client address and browser at the sign-in; null for sessions older than these columns. */
  address: string | null;
  user_agent: string | null;
  /** Position in the server's WAL after the session's last write; null without a read replica. */
  written_up_to: string | null;
}

/** Links to set a password, also the first one of an invited user, or to verify an e-mail address; each usable once. */
interface MailedLinksTable {
  /** SHA-256 of the link's token. */
  token_hash: string;
  user_id: number;
  expires_at: string;
}

/** Networks that accounts have recently signed in from. */
interface KnownNetworksTable {
  user_id: number;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  network: string;
  /** The latest sign-in. */
  signed_in_at: string;
}

/** Secrets of authenticator apps, whose codes are required after the password. */
interface SecondFactorsTable {
  user_id: number;
  /** Base 32, as the app received it. Stored in plain text, because a hash cannot verify codes. */
  secret: string;
  begun_at: string;
  /** When the first code was verified; null before, while no code is required yet. */
  confirmed_at: string | null;
  /** Time step of the last accepted code; codes of this or an earlier step are refused. */
  last_step: number | null;
  /** Wrong codes since the last correct one. */
  failures: number;
}

/** Unfinished sign-ins with the identity provider, each bound to one browser. */
interface ProviderSignInsTable {
  /** SHA-256 of the value in the browser's cookie. */
  browser_hash: string;
  state: string;
  nonce: string;
  verifier: string;
  /** JSON of the identity that the provider confirmed; null before. */
  identity: string | null;
  /** SHA-256 of the ticket that the page exchanges for a session. */
  ticket_hash: string | null;
  expires_at: string;
}

/** Failed attempts within a time window, per throttle key. */
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
  status: Generated<Status>;
  /** The day of the last change of the status; null if there was none. */
  status_date: Generated<string | null>;
  status_reason: Generated<string | null>;
  /** The following columns are derived from the record: see `students/derived/derived-columns.ts`. */
  id_key: Generated<string>;
  name_key: Generated<string>;
  degree_key: Generated<string>;
  search_text: Generated<string>;
  /** Bits of the words of `search_text`. */
  word_bits: Generated<number>;
  /** Hundredths, the CGPA shown on the record; -1 for none. */
  cgpa: Generated<number>;
  /** The last semester that it includes; 0 for none. */
  cgpa_semester: Generated<number>;
  /** Hundredths, once all eight semesters are recorded; -1 before. */
  final_cgpa: Generated<number>;
  /** Hundredths by which the latest SGPA is below the previous one; 0 if it is not. */
  fall: Generated<number>;
  is_complete: Generated<number>;
  is_active: Generated<number>;
  /** The policy by which the CGPAs and the standing were computed; 0 if they still have to be. */
  policy_id: Generated<number>;
  /** After the latest semester; `''` without a graded one. */
  standing: Generated<Standing | ''>;
}

/** Grading policies, never edited or deleted. */
export interface PoliciesTable {
  /** Counted from 1. Of several that apply to a batch, the one with the highest number holds. */
  policy_id: number;
  name: string;
  /** JSON array of the batches (`students.degree`); null for all. */
  degrees: string | null;
  /** JSON of the `PolicyRules`. */
  rules: string;
  created_at: string;
  /** The user who made it, with the name at that time; null for policy 1. */
  user_id: number | null;
  user_name: string | null;
  /** Students of its batches when it was made. */
  students: number;
  /** How many of them it has been applied to. */
  applied: number;
  /** It has been applied to the students up to this ID; `''` for none yet, null for all. */
  applied_to: string | null;
}

/** Schemes of studies. A published one is never changed or deleted. */
export interface SchemesTable {
  scheme_id: Generated<number>;
  /** Counted from 1 by publication; null for a draft. Of several for a batch, the highest is in force. */
  number: number | null;
  name: string;
  department: StudentsTable['department'];
  /** JSON array of the batches; null for all of the department. */
  degrees: string | null;
  /** JSON array of the `SchemeRow`s, in the order of the semesters. */
  rows: string;
  version: number;
  created_at: string;
  created_by: number | null;
  created_name: string;
  published_at: string | null;
  published_by: number | null;
  published_name: string | null;
}

/** Pairs of courses that count as one. */
export interface EquivalentsTable {
  equivalent_id: Generated<number>;
  course_id: number;
  other_id: number;
  /** JSON array of the batches; null for all. */
  degrees: string | null;
  created_at: string;
  created_by: number | null;
  created_name: string;
}

/** Substitutions and waivers. */
export interface SchemeExceptionsTable {
  exception_id: Generated<number>;
  student_id: string;
  row_key: string;
  /** The course that counts for the row; null for a waiver. */
  course_id: number | null;
  reason: string;
  made_at: string;
  made_by: number | null;
  made_name: string;
}

/** Courses that students passed elsewhere. */
export interface OutsideCreditsTable {
  outside_id: Generated<number>;
  student_id: string;
  title: string;
  credits: number;
  institution: string;
  /** As the other institution gave it. */
  grade: string | null;
  /** The row that it fills; null for none. */
  row_key: string | null;
  version: number;
}

/** What keeps students from papers or registration. */
export interface HoldsTable {
  hold_id: Generated<number>;
  student_id: string;
  kind: HoldKind;
  reason: string;
  /** JSON array of what is blocked. */
  blocks: string;
  starts_on: string;
  /** The last day; null for no end. */
  ends_on: string | null;
  placed_at: string;
  placed_by: number | null;
  placed_name: string;
  /** Null, as the other columns of the release, until then. */
  released_at: string | null;
  released_by: number | null;
  released_name: string | null;
  release_reason: string | null;
  /** JSON array of the serials of documents that were issued in spite of it. */
  overrides: string;
  version: number;
}

/** Registration numbers that the students had before. */
interface StudentFormerIdsTable {
  student_id: string;
  /** The entry of the change. The student's entries with lower numbers have the former ID. */
  history_id: number;
  former_id: string;
}

/** Number of students per combination of these values; rows with a count of 0 may remain. */
export interface CohortsTable {
  department: StudentsTable['department'];
  degree: string;
  syn: StudentsTable['syn'];
  current_sem: number;
  /** `''` if unknown. */
  gender: 'M' | 'F' | '';
  is_complete: number;
  status: Status;
  standing: Standing | '';
  students: number;
}

/** Number of graded results per course and grade, over all semesters of all students. */
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
  /** A mark sheet wrote to it whose class has not been notified. */
  is_provisional: Generated<number>;
  /** The student entered after it: it has no subjects and counts in nothing. */
  is_elsewhere: Generated<number>;
  /** The policy of the standing that was notified; null for a provisional semester, and one that no mark sheet wrote to. */
  notified_policy: Generated<number | null>;
  /** `''` when nothing was graded. */
  notified_standing: Generated<Standing | '' | null>;
  notified_clause: Generated<string | null>;
}

/** The filled slots of a semester. */
export interface SemesterSubjectsTable {
  student_id: string;
  semester: number;
  /** 1 to 10. */
  slot: Slot;
  title: string;
  /** A course of the catalogue, or one deleted since. */
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
  /** Whole credit hours, 1 to 6. */
  credits: number | null;
  /** JSON of the `MarksTally` of its marks. */
  tally: string;
  version: number;
}

/**
 * Marks are stored in pieces of many marks each: they belong to no student and are always read as a whole, and one row
 * per mark would take fifty times the space.
 */
interface CourseMarksTable {
  course_id: number;
  /** Counted from 1 in upload order. */
  piece: number;
  /** JSON array of marks. */
  marks: string;
  /** The confirmed sheet whose totals they are; null for marks that were entered by hand. */
  sheet_id: Generated<number | null>;
}

export interface TermsTable {
  term_id: Generated<number>;
  name: string;
  /** The folded name; unique. */
  name_key: string;
  starts_on: string;
  ends_on: string;
  /** 1 for a term of the summer. */
  summer: Generated<number>;
  /** The last days on which students are added to mark sheets, dropped, and withdraw. */
  add_until: string | null;
  drop_until: string | null;
  withdraw_until: string | null;
  version: number;
}

/** The institution as its documents show it: a single row, absent until something is entered. */
export interface InstitutionTable {
  id: number;
  name: string | null;
  short_name: string | null;
  address: string | null;
  /** JSON array of names and titles. */
  signatories: string;
  /** URL of a picture. */
  logo: string | null;
  /** Origin to which the codes of documents lead; null for that of the installation. */
  public_url: string | null;
  /** JSON array of departments and the titles of their degrees. */
  programmes: string;
  version: number;
}

/** Ed25519 keys that sign the codes of documents. */
export interface SigningKeysTable {
  /** Counted from 1; the highest signs. */
  key_id: number;
  /** SPKI in PEM. Never removed: documents of that time are checked with it. */
  public_key: string;
  /** PKCS #8 in PEM; null once another key has taken its place. */
  private_key: string | null;
  created_at: string;
  retired_at: string | null;
}

/** Documents that were asked for together. */
export interface DocumentBatchesTable {
  batch_id: Generated<number>;
  kind: DocumentKind;
  /** The semester of result cards; null for transcripts. */
  semester: number | null;
  is_official: number;
  /** JSON of the `DocumentOrder`. */
  choices: string;
  /** JSON array of the students' IDs, in the order of the IDs. */
  students: string;
  /** JSON array of the students who get no document, with the reason. */
  refused: string;
  /** Students that are done, of how many. */
  done: number;
  of: number;
  state: 'running' | 'done' | 'cancelled' | 'interrupted';
  created_at: string;
  user_id: number;
  user_name: string;
  /** When the issuing process last reported progress. */
  seen_at: string;
}

/** The register of the documents that were issued. A row is changed only when its document is revoked or the student gets another ID. */
export interface DocumentsTable {
  serial: string;
  kind: DocumentKind;
  /** The last semester on the document. */
  semester: number;
  student_id: string;
  batch_id: number;
  issued_at: string;
  /** The issuer, with the name at that time. */
  user_id: number | null;
  user_name: string;
  issued_to: string | null;
  purpose: string | null;
  /** SHA-256 of the figures, by which it is known whether the record still has them. */
  figures: string;
  /** JSON of the `DocumentContent`. */
  content: string;
  /** SHA-256 of `content`. */
  content_hash: string;
  /** The signed code, and the one to be typed by hand. */
  code: string;
  hand_code: string;
  /** JSON of when, by whom and why it was revoked; null if it was not. */
  revocation: string | null;
  /** JSON of why, by whom and in spite of which holds it was issued; null if none blocked it. */
  override: string | null;
}

/** Replies to requests with an idempotency key: a retry gets the same reply and creates nothing. */
interface IdempotencyKeysTable {
  user_id: number;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: string;
  etag: string;
  /** JSON of the reply body. */
  reply: string;
  created_at: string;
}

/** Marks that were replaced, or deleted with their course, by the id of the history entry of that change. */
interface ReplacedMarksTable {
  history_id: number;
  piece: number;
  marks: string;
}

/** Views of the list of students that a user has saved under a name. */
export interface SavedViewsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** The folded name; unique per user. */
  name_key: string;
  /** JSON of the `StudentView`. */
  view: string;
  version: number;
  created_at: string;
}

/** When scheduled backups were made: a single row, by which processes agree on which one makes the next. */
interface BackupScheduleTable {
  id: number;
  /** Start of the latest successful one, or a time from which the next one is due after the retry interval. */
  begun_at: string;
  /** Start of the latest successful one. */
  good_at: string | null;
}

/** Exports that are running or ended within the last minute. */
interface ExportsTable extends ExportProgress {
  id: string;
  user_id: number;
  is_over: number;
  /** When the sending process last reported progress. */
  seen_at: string;
}

/** Changes of many records, which the entries of the history refer to; `students` counts the records. */
interface BulkChangesTable {
  id: Generated<number>;
  at: string;
  user_id: number | null;
  action: BulkAction | 'import';
  students: number;
  /** JSON of the reply to its undo; null if it has not been undone. */
  undo: string | null;
}

export interface ImportsTable {
  id: Generated<number>;
  kind: ImportKind;
  /** Never `applying`: that it is being applied is known from `seen_at`, so that a process that dies leaves the truth. */
  state: Exclude<ImportState, 'applying'>;
  course_id: number | null;
  /** The draft of an import of a scheme. */
  scheme_id: number | null;
  /** Null for pasted text. */
  file_name: string | null;
  /** JSON of the `ImportFile`; null while the file is being read. */
  file: string | null;
  rows: number;
  created_at: string;
  user_id: number | null;
  /** JSON of the `ImportPreviewInput` of the latest preview. */
  choices: string | null;
  /** The number of the latest preview that was begun; 0 before. */
  preview: number;
  /** JSON of the `ImportCounts`, and the fingerprint; null while no preview is complete. */
  counts: string | null;
  fingerprint: string | null;
  /** Why only an administrator applies the latest preview, with a reason; null where anybody does. */
  needs_reason: string | null;
  /** Rows that have been applied, as the process reported at `seen_at`; it reports every second. */
  done: number;
  seen_at: string | null;
  applied_at: string | null;
  is_partial: number;
  /** The bulk change that the entries of the history refer to; null before it is applied. */
  bulk_id: number | null;
  /** JSON of when, by whom and how much of it was undone; null if it was not. */
  undo: string | null;
}

interface ImportRowsTable {
  import_id: number;
  /** The physical line on which the row begins. */
  line: number;
  /** JSON array; a cell with a date is a pair of its text and the date. */
  cells: string;
  /** The state of the latest preview; null before. */
  state: ImportRowState | null;
  /** JSON of the rest of the `ImportRow`. */
  outcome: string | null;
}

/** The field that somebody has chosen for columns with a heading. */
interface ImportColumnsTable {
  user_id: number;
  kind: ImportKind;
  /** Normalized. */
  heading: string;
  /** Null for a column that is not to be read. */
  field: string | null;
}

export interface SheetsTable {
  sheet_id: Generated<number>;
  course_id: number;
  /** The code of the course when the sheet was made or confirmed. */
  course_code: string;
  course_name: string;
  term_id: number;
  title: string;
  credits: number;
  semester: number;
  department: StudentsTable['department'];
  degree: string;
  /** JSON array of syndicates; empty for all. */
  syn: string;
  state: SheetState;
  /** Increases with each change of the sheet, its rows included. */
  version: number;
  /** The version at the latest change that was not of cells or of single rows. */
  setup_version: number;
  /** The policy that was fixed at the submission; null in a draft. */
  policy_id: number | null;
  /** JSON of the categories with their components. */
  categories: string;
  /** The highest id that a category or component has had. */
  last_component_id: number;
  /** JSON of the stored boundaries: see `marksheets/grading/boundaries.ts`; null before. */
  grading: string | null;
  rectifies: number | null;
  rectify_kind: RectificationKind | null;
  rectify_reason: string | null;
  submitted_by: number | null;
  submitted_name: string | null;
  /** The time of the latest submission; kept when it is taken back. */
  submitted_at: string | null;
  /** JSON object of reasons by rule. */
  submit_reasons: string | null;
  /** JSON of who made it a draft again after the latest submission, when and why: see `marksheets/sheet.ts`. */
  taken_back: string | null;
  confirmed_by: number | null;
  confirmed_name: string | null;
  confirmed_at: string | null;
  checksum: string | null;
  /** The JSON of the `Difference` of a rectification that is confirmed. */
  difference: string | null;
  /** Number of the result notification; null while the results are provisional. */
  notification: number | null;
  created_by: number | null;
  created_name: string;
  created_at: string;
  /** The key of the row of the scheme that it is for. */
  scheme_row: string | null;
}

export interface SheetRowsTable {
  sheet_id: number;
  student_id: string;
  status: RowStatus;
  reason: string | null;
  /** Null for that of the class. */
  semester: number | null;
  /** JSON object of the filled cells by component id. */
  cells: string;
  /** Cells that are filled. */
  filled: number;
  /** Hundredths; null while a cell is empty. */
  total: number | null;
  is_absent: number;
  /** Version of the sheet at the latest change of the row. */
  version: number;
  /** 1: it was blocked when the sheet was confirmed, and its result is not recorded yet. */
  is_left: Generated<number>;
  /** JSON of theory, lab and who condoned it; null without figures. */
  attendance: string | null;
}

/** When and by whom a row was added. It goes with the row, and has none where the row is older than the table. */
export interface SheetRegistrationsTable {
  registration_id: Generated<number>;
  sheet_id: number;
  student_id: string;
  /** The day in the zone of the server. */
  added_on: string;
  added_by: number | null;
  added_name: string;
  /** Why the row stands there against the warnings of `covered`, or was added late. */
  reason: string | null;
  /** JSON array of the warnings that the reason covers. */
  covered: string;
}

/** Mark sheets that were made for classes of a term in one go. */
export interface OpeningsTable {
  opening_id: Generated<number>;
  term_id: number;
  /** JSON array, as they were named. */
  classes: string;
  /** JSON array of the sheets that it made. */
  sheet_ids: string;
  /** The rows of these sheets. */
  students: number;
  created_at: string;
  created_by: number | null;
  created_name: string;
  undone_at: string | null;
  undone_by: number | null;
  undone_name: string | null;
  /** The number of sheets that the undo deleted. */
  undone: number | null;
  version: number;
}

/** Whom a sheet names as its teachers. */
interface SheetTeachersTable {
  sheet_id: number;
  user_id: number;
  /** From 1, in the order in which they are named. */
  position: number;
}

/** Rows that were taken off a draft, for when their students are put back. */
type SheetRemovedRowsTable = Pick<
  SheetRowsTable,
  'sheet_id' | 'student_id' | 'status' | 'reason' | 'semester' | 'cells' | 'attendance'
>;

/** The slots that confirmed sheets wrote; a rectification takes the place of the sheet that it rectifies. */
interface SheetResultsTable {
  student_id: string;
  semester: number;
  slot: Slot;
  course_id: number;
  sheet_id: number;
  /** Null for a row without a grade. */
  half_points: number | null;
}

/** People who have a sheet open, by connection. */
interface SheetPeopleTable {
  id: string;
  sheet_id: number;
  user_id: number;
  user_name: string;
  seen_at: string;
}

/** Notifications of the results of a class, which make them final. */
interface ResultNotificationsTable {
  number: Generated<number>;
  term_id: number;
  department: StudentsTable['department'];
  degree: string;
  semester: number;
  students: number;
  notified_at: string;
  user_id: number | null;
  user_name: string;
}

interface HistoryTable {
  id: Generated<number>;
  at: string;
  /** The user who made the change, with the name at that time; null for changes by the program itself. */
  user_id: number | null;
  user_name: string | null;
  action: HistoryAction;
  entity: HistoryEntity;
  entity_id: string;
  /** JSON of the entity before and after the change; null before a create and after a delete. */
  before: string | null;
  after: string | null;
  /** The bulk change that this entry is part of. */
  bulk_id: Generated<number | null>;
}

/** The hash chain over the history: see `history/chain.ts`. */
interface HistoryLinksTable {
  /** Counted from 1 in the order of linking. */
  number: number;
  history_id: number;
  hash: string;
}

/** The last link of the chain: a single row, absent while the history is empty. */
interface HistoryHeadTable {
  id: 1;
  number: number;
  hash: string;
}

/** Entries that are to be linked to the chain: see `history/links.ts`. */
interface HistoryPendingTable {
  history_id: number;
  /** The digest of the entry as it was stored. */
  digest: string;
}
