import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { academicRoutes } from './academics/routes.ts';
import { lockRoutes } from './accounts/lock-routes.ts';
import { providerRoutes } from './accounts/provider-routes.ts';
import { accountRoutes, publicAccountRoutes } from './accounts/routes.ts';
import { secondFactorRoutes } from './accounts/second-factor-routes.ts';
import { sessionRoutes } from './accounts/session-routes.ts';
import type { App, Deps } from './app-types.ts';
import { courseRoutes } from './courses/routes.ts';
import { apiDocs } from './docs/routes.ts';
import { healthRoute } from './health.ts';
import { historyRoutes } from './history/routes.ts';
import { refuseLongAddresses, toOriginForm } from './http/addresses.ts';
import { requireSignIn } from './http/authentication.ts';
import { answerClientErrors } from './http/client-errors.ts';
import { answerError, handleErrors } from './http/error-handler.ts';
import { acceptForms } from './http/form-body.ts';
import { securityHeaders } from './http/headers.ts';
import { acceptJson } from './http/json-body.ts';
import { logRequests } from './http/log.ts';
import { watchMethods } from './http/methods.ts';
import { shedLoad } from './http/overload.ts';
import { rememberWrites } from './http/read-your-writes.ts';
import { limitRequests, RequestLimit } from './http/request-limit.ts';
import { dropStalledClients } from './http/stalled-clients.ts';
import { validatorCompiler } from './http/validation.ts';
import { serveWebApp } from './http/web-app.ts';
import { insightRoutes } from './insights/routes.ts';
import { metricsRoute } from './metrics/routes.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { bulkRoutes } from './students/bulk/routes.ts';
import { exportRoutes } from './students/export/routes.ts';
import { studentListRoutes } from './students/list-routes.ts';
import { studentRoutes } from './students/routes.ts';
import { viewRoutes } from './views/routes.ts';

export interface AppOptions extends Deps {
  logger: FastifyBaseLogger | false;
  /** Folder of the built browser application. */
  webDir: string;
  trustedProxies: string[];
  https: boolean;
  /** Who sends it may read measurements; without one there are none. */
  metricsToken?: string | undefined;
  /** Backups are made by schedule. */
  backsUp?: boolean;
  isStopping?: () => boolean;
  /** Whether the process can't keep up with its work. */
  isOverloaded?: () => boolean;
}

const KIB = 1024;

/** The whole HTTP application: every feature is registered here, in plain sight. */
export async function buildApp(options: AppOptions): Promise<App> {
  const protect = securityHeaders(options);
  const app = Fastify({
    ...(options.logger === false ? { logger: false } : { loggerInstance: options.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: KIB * KIB,
    routerOptions: { maxParamLength: 512 },
    requestTimeout: 120_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * KIB },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    rewriteUrl: toOriginForm,
    clientErrorHandler: answerClientErrors(options),
    frameworkErrors: (error, request, reply) => {
      protect(request, reply);
      // An address with a broken escape is no screen's: a path that none has shows the page that says so.
      return request.url.startsWith('/api')
        ? answerError(error, request, reply)
        : reply.redirect('/not-found');
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.addHook('onRequest', (request, reply, done) => {
    protect(request, reply);
    done();
  });
  logRequests(app);
  dropStalledClients(app);
  handleErrors(app);
  refuseLongAddresses(app);
  shedLoad(app, options.isOverloaded ?? (() => false));
  const limit = new RequestLimit(options.settings.requestLimit);
  limitRequests(app, limit);
  acceptJson(app);
  await acceptForms(app);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Student Information Management System', version: '1' } },
    transform: jsonSchemaTransform,
  });

  const methodsOf = watchMethods(app);
  healthRoute(app, options, options.isStopping ?? (() => false));
  metricsRoute(app, options);
  publicAccountRoutes(app, options);
  if (options.provider) providerRoutes(app, options, options.provider, options.https);
  apiDocs(app);
  await app.register(async (scope: App) => {
    requireSignIn(scope, options, limit);
    rememberWrites(scope, options.db);
    accountRoutes(scope, options);
    sessionRoutes(scope, options);
    lockRoutes(scope, options);
    secondFactorRoutes(scope, options);
    studentRoutes(scope, options);
    bulkRoutes(scope, options);
    studentListRoutes(scope, options);
    exportRoutes(scope, options);
    academicRoutes(scope, options);
    courseRoutes(scope, options);
    insightRoutes(scope, options);
    pictureRoutes(scope, options);
    viewRoutes(scope, options);
    historyRoutes(scope, options);
  });

  await serveWebApp(app, options.webDir, methodsOf, {
    recovery: options.mailer !== undefined,
    provider: options.provider?.name,
  });
  return app;
}
