import { createHash } from 'node:crypto';
import { z } from 'zod';
import { institutionReply } from '../../../contract/installation/institution.ts';
import { DOCUMENT_KINDS } from '../../../domain/documents/kinds.ts';
import { REPEAT_POLICIES } from '../../../domain/grading/policy.ts';

const subject = z.object({
  slot: z.int(),
  course_id: z.int().nullable(),
  title: z.string(),
  credits: z.int().nullable(),
  letter: z.string().nullable(),
  points: z.number().nullable(),
  // Documents issued by the first versions do not have it.
  ungraded: z.enum(['incomplete', 'withdrawn', 'excused']).nullable().default(null),
  counted: z.boolean(),
  repeats: z.int().nullable(),
  repeated_in: z.int().nullable(),
});

/** The figures of the domain, as they are stored. */
const figures = z.object({
  student: z.object({
    id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    father_name: z.string().nullable(),
    dob: z.string(),
    joining_date: z.string(),
    degree: z.string(),
    department: z.string(),
  }),
  semesters: z.array(
    z.object({
      semester: z.int(),
      sgpa: z.number(),
      cgpa: z.number(),
      is_provisional: z.boolean(),
      elsewhere: z.literal(true).optional(),
      credits_attempted: z.int(),
      credits_earned: z.int(),
      subjects: z.array(subject),
    }),
  ),
  credits_attempted: z.int(),
  credits_earned: z.int(),
  credits_counted: z.int(),
  quality_points: z.number(),
  cgpa: z.number().nullable(),
  repeat_policy: z.enum(REPEAT_POLICIES),
  /** Credits from elsewhere; absent without any. */
  outside: z
    .array(
      z.object({
        title: z.string(),
        credits: z.int(),
        institution: z.string(),
        grade: z.string().nullable(),
      }),
    )
    .optional(),
});

/** The part of the institution that stands on documents. */
export const letterhead = institutionReply.pick({
  name: true,
  short_name: true,
  address: true,
  signatories: true,
  logo: true,
});

/**
 * Everything that is printed on a document but its codes: what a PDF is made of. Stored with each issued document, so its form is only
 * ever added to.
 */
export const documentContent = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  /** The last semester on it. */
  semester: z.int(),
  /** Null on an unofficial document. */
  serial: z.string().nullable(),
  issued_on: z.iso.date(),
  figures,
  /** The title of the degree; null without one, absent on documents of the first versions. */
  degree_title: z.string().nullable().optional(),
  /** The terms of the semesters that mark sheets have written, by semester. Documents of the first versions have none. */
  terms: z.record(z.string(), z.string()).default({}),
  /** Codes of the courses in the catalogue, by id. */
  course_codes: z.record(z.string(), z.string()),
  policy_id: z.int(),
  /** Whether the conditions of the degree are fulfilled; false on a result card. */
  is_final: z.boolean(),
  /** The day of the graduation; null while unknown. */
  completed_on: z.iso.date().nullable(),
  institution: letterhead,
  /** URL of the portrait; null if it is not to be shown. */
  portrait: z.string().nullable(),
});
export type DocumentContent = z.infer<typeof documentContent>;

/** The part of the content that a check answers; reading all of it would take most of its time. */
const summary = z.object({
  issued_on: documentContent.shape.issued_on,
  is_final: z.boolean(),
  degree_title: documentContent.shape.degree_title,
  figures: z.object({
    student: figures.shape.student,
    credits_earned: z.int(),
    outside: figures.shape.outside,
    cgpa: z.number().nullable(),
    semesters: z.array(z.object({ semester: z.int(), sgpa: z.number(), subjects: z.array(z.unknown()) })),
  }),
});

export const readSummary = (json: string): z.infer<typeof summary> => summary.parse(JSON.parse(json));

export const readContent = (json: string): DocumentContent => documentContent.parse(JSON.parse(json));

export const hashContent = (json: string): string => createHash('sha256').update(json).digest('hex');

export const studentName = ({
  first_name,
  last_name,
}: Pick<DocumentContent['figures']['student'], 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`;

interface Programme {
  degree_title?: string | null | undefined;
  figures: { student: Pick<DocumentContent['figures']['student'], 'department' | 'degree'> };
}

/** Degree and batch, as the document calls the programme: those of the first versions have the department and the bare batch. */
export const programmeName = ({ degree_title, figures: { student } }: Programme): string =>
  degree_title === undefined
    ? `${student.department}, ${student.degree}`
    : `${degree_title ?? student.department}, Batch ${student.degree}`;
