import { z } from 'zod';
import { type CallGroup, fileReply } from '../calls.ts';

/** Calls about the server itself. */
export const serverCalls = {
  tag: 'Running it',
  calls: {
    'GET /api/health': {
      summary: 'Can this process do its work?',
      rights: 'everybody',
      replies: { 200: z.object({ status: z.literal('ok') }) },
      refuses: [503],
    },
    'GET /api/openapi.json': {
      summary: 'The description of all calls, as OpenAPI',
      rights: 'everybody',
      replies: { 200: fileReply },
    },
    'GET /api/docs': {
      summary: 'The description of all calls, as a page',
      rights: 'everybody',
      replies: { 200: fileReply },
    },
    'GET /api/docs/style.css': {
      summary: 'The style sheet of that page',
      rights: 'everybody',
      replies: { 200: fileReply },
    },
  },
} satisfies CallGroup;
