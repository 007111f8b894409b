/** Documents about one student. */
export const DOCUMENT_KINDS = ['transcript', 'result-card'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** `superseded`: the record has other figures by now. */
export const DOCUMENT_STATES = ['valid', 'superseded', 'revoked'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

export const DOCUMENT_TITLES: Readonly<Record<DocumentKind, string>> = {
  transcript: 'Academic transcript',
  'result-card': 'Semester result card',
};
