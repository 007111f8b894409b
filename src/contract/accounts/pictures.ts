import { z } from 'zod';
import { type CallGroup, fileReply } from '../calls.ts';
import { userPath } from './accounts.ts';

/** Path of a user's profile picture (`/api/pictures/…`); null without one. */
const userPictureReply = z.object({ picture: z.string().nullable() });

/** A form with the picture as a file. */
const userPictureForm = z.object({ picture: fileReply.optional() }).optional();

export const pictureCalls = {
  tag: 'Pictures',
  calls: {
    'GET /api/pictures/:picture_id': {
      summary: 'A picture, as JPEG',
      rights: ['account'],
      params: z.object({ picture_id: z.string() }),
      replies: { 200: fileReply },
      refuses: [404],
    },
    'GET /api/users/:id/picture': {
      summary: "Address of a user's profile picture",
      rights: ['account'],
      params: userPath,
      replies: { 200: userPictureReply },
      refuses: [404],
    },
    'PUT /api/users/:id/picture': {
      summary: "Change a user's profile picture",
      rights: ['account'],
      params: userPath,
      body: userPictureForm,
      replies: { 200: userPictureReply },
      refuses: [403, 404, 422],
    },
  },
} satisfies CallGroup;
