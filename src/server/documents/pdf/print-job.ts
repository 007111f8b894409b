import { z } from 'zod';
import { documentContent } from '../content/content.ts';

/** A document to print: its content with what is not part of the content hash. */
export const printJob = z.object({
  content: documentContent,
  /** Codes of an official document: the address in the QR code, the site's part of it to be typed, and the code by hand. */
  codes: z.object({ url: z.string(), site: z.string(), handCode: z.string() }).nullable(),
  /** The person who prints an unofficial document. */
  printedBy: z.string(),
  logo: z.instanceof(Uint8Array).nullable(),
  portrait: z.instanceof(Uint8Array).nullable(),
});
export type PrintJob = z.infer<typeof printJob>;
