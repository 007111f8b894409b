import { z } from 'zod';
import { type CallGroup, fileReply } from './calls.ts';
import { invalidReply } from './errors.ts';
import { numberedPath } from './fields.ts';
import {
  IMPORT_KEPT_HOURS,
  IMPORT_KINDS,
  importAppliedReply,
  importApplyInput,
  importCreatedReply,
  importInput,
  importListReply,
  importPreview,
  importPreviewInput,
  importReply,
  importRowsQuery,
  importRowsReply,
  importStaleReply,
  importUndoInput,
  importUndoneReply,
  importUndoPreview,
  importUndoStaleReply,
} from './imports.ts';
import { EXPORT_FORMATS } from './students/export.ts';

const importPath = z.object({ import_id: numberedPath });

/** The refusal of a preview, with what is missing in the file beside the texts. */
const unreadableReply = invalidReply.extend({
  unmapped_required: z.array(z.string()).optional(),
  ambiguous_columns: z.array(z.int()).optional(),
});

export const importCalls = {
  tag: 'Imports',
  calls: {
    'GET /api/imports/templates/:kind.:format': {
      summary: 'A file with the headings and two example rows, which can be imported as it is',
      rights: ['write'],
      params: z.object({ kind: z.enum(IMPORT_KINDS), format: z.enum(EXPORT_FORMATS) }),
      replies: { 200: fileReply },
      refuses: [404],
    },
    'POST /api/imports': {
      summary: 'Send a file to import: CSV or XLSX in `file`, or delimited text in `text`',
      description: `Only reads the file; no record changes. Kept for ${IMPORT_KEPT_HOURS} hours unless it is applied.`,
      rights: ['write'],
      body: importInput,
      replies: { 201: importCreatedReply },
      refuses: [413, 422],
    },
    'GET /api/imports': {
      summary: 'The latest 200 imports of everybody, the newest first',
      rights: ['write'],
      replies: { 200: importListReply },
    },
    'GET /api/imports/:import_id': {
      summary: 'An import, with its progress while it is being applied',
      rights: ['write'],
      params: importPath,
      replies: { 200: importReply },
      refuses: [404],
    },
    'POST /api/imports/:import_id/preview': {
      summary: 'What an import would store',
      description:
        'Changes no record. What is left out is as recognised from the headings. A later preview takes the place of an earlier one.',
      rights: ['write'],
      params: importPath,
      body: importPreviewInput,
      replies: { 200: importPreview, 422: unreadableReply },
      refuses: [404, 409],
    },
    'GET /api/imports/:import_id/rows': {
      summary: 'The rows of the latest preview',
      rights: ['write'],
      params: importPath,
      query: importRowsQuery,
      replies: { 200: importRowsReply },
      refuses: [404, 409, 422],
    },
    'GET /api/imports/:import_id/refused.csv': {
      summary: 'The refused rows with the reasons, to correct and send again',
      rights: ['write'],
      params: importPath,
      replies: { 200: fileReply },
      refuses: [404, 409],
    },
    'POST /api/imports/:import_id/apply': {
      summary: 'Store all rows of an import, or with `partial` those that are not refused',
      description:
        'With the `fingerprint` of the preview; 412 with a new preview when it no longer holds. One transaction, which a lost connection does not stop.',
      rights: ['write'],
      params: importPath,
      body: importApplyInput,
      replies: { 200: importAppliedReply, 412: importStaleReply },
      refuses: [404, 409, 422],
    },
    'POST /api/imports/:import_id/cancel': {
      summary: 'End an import without storing anything',
      rights: ['write'],
      params: importPath,
      replies: { 200: importAppliedReply },
      refuses: [404, 409],
    },
    'GET /api/imports/:import_id/undo': {
      summary: 'What an undo of an import would do',
      rights: ['write'],
      params: importPath,
      replies: { 200: importUndoPreview },
      refuses: [404],
    },
    'POST /api/imports/:import_id/undo': {
      summary: 'Undo an import',
      description:
        'Records that were changed since stay as they are. With the `fingerprint` of the preview; 412 with a new one when records were changed meanwhile.',
      rights: ['write'],
      params: importPath,
      body: importUndoInput,
      replies: { 200: importUndoneReply, 412: importUndoStaleReply },
      refuses: [404, 409, 422],
    },
  },
} satisfies CallGroup;
