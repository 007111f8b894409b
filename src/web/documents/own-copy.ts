import { callAddress } from '../lib/call.ts';
import { saveServerFile } from '../ui/save-file.ts';

/** The files with all that is held about a student, to hand to them. For administrators. */
export const OWN_COPIES = [
  { format: 'pdf', name: 'PDF', key: 'GET /api/students/:id/own-copy.pdf' },
  { format: 'json', name: 'JSON', key: 'GET /api/students/:id/own-copy' },
] as const;

/** Saves one of the files. Must be called during a user's click. */
export async function saveOwnCopy(
  studentId: string,
  format: (typeof OWN_COPIES)[number]['format'],
): Promise<void> {
  const copy = OWN_COPIES.find((one) => one.format === format);
  if (copy === undefined) return;
  await saveServerFile(
    callAddress(copy.key, { params: { id: studentId } }),
    `copy-of-${studentId}.${format}`,
    'The copy has been saved. The history has an entry for it.',
  );
}
