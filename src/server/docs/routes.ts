import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import { PAGE_POLICY } from '../http/headers.ts';
import { docsPage, docsStyle } from './page.ts';

/** The description of the calls, for programs and for people. It holds no records, so it needs no sign-in. */
export function apiDocs(app: FastifyInstance): void {
  // The plugin describes the calls as OpenAPI 3.1, which its types leave open.
  const description = () => app.swagger() as OpenAPIV3_1.Document;
  const hidden = { schema: { hide: true } };

  app.get('/api/openapi.json', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(description()),
  );

  app.get('/api/docs', hidden, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(docsPage(description())),
  );

  app.get('/api/docs/style.css', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(docsStyle),
  );
}
