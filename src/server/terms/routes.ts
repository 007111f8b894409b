import { z } from 'zod';
import { numberedPath } from '../../contract/fields.ts';
import {
  termDeletedReply,
  termInput,
  termListReply,
  termReply,
  termSavedReply,
} from '../../contract/terms.ts';
import type { App, Deps } from '../app-types.ts';
import { requireAdmin } from '../http/actor.ts';
import { etag, versionPart } from '../http/etags.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { createTerm, deleteTerm, listTerms, requireTerm, updateTerm } from './terms.ts';

const tags = ['Terms'];
const termPath = z.object({ term_id: numberedPath });

export function termRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/terms',
    {
      schema: {
        tags,
        summary: 'All terms, the latest start first',
        response: { 200: termListReply, ...refusals() },
      },
    },
    () => listTerms(db.read),
  );

  app.get(
    '/api/terms/:term_id',
    {
      schema: {
        tags,
        summary: 'One term',
        params: termPath,
        response: { 200: termReply, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const term = await requireTerm(db.read, request.params.term_id);
      reply.header('etag', etag(versionPart.term(term.version)));
      return term;
    },
  );

  app.post(
    '/api/terms',
    {
      schema: {
        tags,
        summary: 'Add a term',
        description: 'For administrators.',
        body: termInput,
        response: { 201: termSavedReply, ...refusals(403, 422) },
      },
    },
    async (request, reply) => {
      requireAdmin(request);
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const term = await createTerm(tx, author, request.body);
        return {
          etag: etag(versionPart.term(term.version)),
          reply: { message: 'Term added successfully', term },
        };
      });
    },
  );

  app.put(
    '/api/terms/:term_id',
    {
      schema: {
        tags,
        summary: 'Change the name or the dates of a term',
        description: 'For administrators.',
        params: termPath,
        body: termInput,
        response: { 200: termSavedReply, ...refusals(403, 404, 412, 422) },
      },
    },
    async (request, reply) => {
      const { term_id } = request.params;
      const ifMatch = request.headers['if-match'];
      const term = await transactAs(db.write, requireAdmin(request), (tx, author) =>
        updateTerm(tx, author, term_id, request.body, ifMatch),
      );
      reply.header('etag', etag(versionPart.term(term.version)));
      return { message: 'Term updated successfully', term };
    },
  );

  app.delete(
    '/api/terms/:term_id',
    {
      schema: {
        tags,
        summary: 'Delete a term',
        description: 'For administrators.',
        params: termPath,
        response: { 200: termDeletedReply, ...refusals(403, 404, 409, 412) },
      },
    },
    async (request) => {
      const { term_id } = request.params;
      const ifMatch = request.headers['if-match'];
      const entry = await transactAs(db.write, requireAdmin(request), (tx, author) =>
        deleteTerm(tx, author, term_id, ifMatch),
      );
      return { message: 'Term deleted successfully', entry };
    },
  );
}
