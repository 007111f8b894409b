import type { OpenAPIV3_1 } from 'openapi-types';
import { serverCalls } from '../../contract/installation/server.ts';
import type { App } from '../app-types.ts';
import { bindCalls } from '../http/handle.ts';
import { PAGE_CSP } from '../http/hooks/security-headers.ts';
import { FixedDocument } from '../http/replies/fixed-document.ts';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  );

/** The OpenAPI document as a page without scripts: calls by tag, each with its body and replies. */
function renderApiPage(description: OpenAPIV3_1.Document): string {
  const calls = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method];
      return operation === undefined ? [] : { path, method, operation };
    }),
  );
  const apiTags = [...new Set(calls.map(({ operation }) => operation.tags?.[0] ?? 'Other'))];
  const sections = apiTags.map((tag) => {
    const own = calls.filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag);
    return `<section><h2>${escapeHtml(tag)}</h2>${own.map(callDetails).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calls · Student Information Management System</title><link rel="stylesheet" href="/api/docs/style.css"></head>
<body><main><h1>Calls of the Student Information Management System</h1>
<p>All calls are JSON. Sign in with <code>POST /api/login</code> and send the token as <code>Authorization: Bearer …</code>.
The same description for programs: <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`;
}

interface Call {
  path: string;
  method: string;
  operation: OpenAPIV3_1.OperationObject;
}

function callDetails({ path, method, operation }: Call): string {
  const body =
    operation.requestBody !== undefined && 'content' in operation.requestBody
      ? operation.requestBody
      : undefined;
  const taken = body?.content['application/json']?.schema;
  const answers = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const schema = 'content' in response ? response.content?.['application/json']?.schema : undefined;
    return `<h3>Answers ${escapeHtml(status)}</h3>${schemaBlock(schema)}`;
  });
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary ?? '')}</span></summary>
${operation.description === undefined ? '' : `<p>${escapeHtml(operation.description)}</p>`}
${taken === undefined ? '' : `<h3>Takes</h3>${schemaBlock(taken)}`}${answers.join('')}</details>`;
}

const schemaBlock = (schema: unknown) =>
  schema === undefined
    ? '<p>Nothing.</p>'
    : `<pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`;

const API_PAGE_CSS = `:root { color-scheme: light dark; }
body { margin: 0; font: 0.9375rem/1.5 ui-sans-serif, system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.375rem; } h2 { font-size: 1.0625rem; margin: 2rem 0 0.5rem; } h3 { font-size: 0.8125rem; margin: 1rem 0 0.25rem; }
details { border: 1px solid color-mix(in srgb, CanvasText 18%, transparent); border-radius: 6px; margin-bottom: 6px; padding: 0 12px; }
summary { cursor: pointer; padding: 10px 0; } summary b { display: inline-block; min-width: 4.5em; }
summary span { opacity: 0.75; } code, pre { font-family: ui-monospace, monospace; font-size: 0.8125rem; }
pre { overflow: auto; max-height: 24rem; padding: 10px; border-radius: 4px; background: color-mix(in srgb, CanvasText 6%, transparent); }
:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; }
`;

const HIDDEN = { hide: true } as const;

/** The OpenAPI document, for programs and for people. It contains no records, so it needs no sign-in. */
export function apiDocs(app: App): void {
  // The plugin is set to OpenAPI 3.1, which its types don't know.
  const description = () => app.swagger() as OpenAPIV3_1.Document;
  const json = new FixedDocument('application/json; charset=utf-8', () => JSON.stringify(description()));
  const page = new FixedDocument('text/html; charset=utf-8', () => renderApiPage(description()));
  const style = new FixedDocument('text/css; charset=utf-8', () => API_PAGE_CSS);

  const handle = bindCalls(app, serverCalls);

  handle('GET /api/openapi.json', HIDDEN, ({ request, reply }) => json.send(request, reply));

  handle('GET /api/docs', HIDDEN, ({ request, reply }) =>
    page.send(request, reply.header('content-security-policy', PAGE_CSP)),
  );

  handle('GET /api/docs/style.css', HIDDEN, ({ request, reply }) => style.send(request, reply));
}
