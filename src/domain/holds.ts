import type { DocumentKind } from './documents/kinds.ts';

/** Who wants something from the student before a paper or a registration. */
export const HOLD_KINDS = ['fees', 'library', 'discipline', 'documents', 'other'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** What a hold can block. Result cards are blocked official or not, of transcripts the official ones only. */
export const HOLD_BLOCKS = ['official-documents', 'result-card', 'registration', 'certificate'] as const;
export type HoldBlock = (typeof HOLD_BLOCKS)[number];

export const HOLD_STATES = ['future', 'active', 'ended', 'released'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** Holds of one student, released ones included. */
export const MOST_HOLDS = 100;

/** Within so many days the end of a hold is near. */
export const HOLD_ENDS_SOON_DAYS = 14;

interface HoldDays {
  from: string;
  /** Inclusive; null for no end. */
  until: string | null;
  isReleased: boolean;
}

/** @param today a calendar date, as all of them */
export function holdState({ from, until, isReleased }: HoldDays, today: string): HoldState {
  if (isReleased) return 'released';
  if (until !== null && until < today) return 'ended';
  return from > today ? 'future' : 'active';
}

/** Why something is blocked, as students, registers and lists of refused students have it. */
export const holdText = ({ kind, from, by }: { kind: HoldKind; from: string; by: string }): string =>
  `${kind}, since ${from}, ${by}`;

/** What blocks each kind of document. */
const BLOCK_OF_KIND = {
  transcript: { official: 'official-documents', unofficial: undefined },
  'result-card': { official: 'result-card', unofficial: 'result-card' },
} as const satisfies Record<DocumentKind, Record<'official' | 'unofficial', HoldBlock | undefined>>;

/** What would block a document; undefined for one that no hold blocks. */
export const documentBlock = (kind: DocumentKind, isOfficial: boolean): HoldBlock | undefined =>
  BLOCK_OF_KIND[kind][isOfficial ? 'official' : 'unofficial'];
