import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { acceptInvitationRoute, invitationRoutes } from './accounts/invitations/routes.ts';
import { sessionRoutes } from './accounts/own-sessions/routes.ts';
import { passwordRecoveryRoutes, passwordRoutes } from './accounts/passwords/routes.ts';
import { hasUsers } from './accounts/queries.ts';
import { approvalRoutes, registrationRoutes } from './accounts/registration/routes.ts';
import { requireSignIn } from './accounts/sessions/authentication.ts';
import { loginRoute } from './accounts/sign-in/routes.ts';
import type { Provider } from './accounts/sso/oidc-client.ts';
import { providerRoutes } from './accounts/sso/routes.ts';
import { secondFactorRoutes } from './accounts/two-factor/routes.ts';
import { userRoutes } from './accounts/users/routes.ts';
import { apiDocs } from './api-docs/routes.ts';
import type { App, Deps } from './app-types.ts';
import { courseRoutes } from './courses/routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { readVerifyHead } from './documents/verification/logo.ts';
import { verificationRoutes } from './documents/verification/routes.ts';
import { Linker } from './history/linker.ts';
import { historyRoutes } from './history-api/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { healthRoute } from './http/health.ts';
import { acceptForms, acceptJson } from './http/hooks/body-parsers.ts';
import { handleClientErrors, handleErrors, sendError } from './http/hooks/error-handler.ts';
import { limitHeavyCalls } from './http/hooks/heavy-calls.ts';
import { dropStalledClients, limitRequests, RequestLimit, shedLoad } from './http/hooks/load-limits.ts';
import { logRequests } from './http/hooks/logger.ts';
import { trackWrites } from './http/hooks/read-your-writes.ts';
import { rejectLongUrls, toOriginForm, trackAllowedMethods } from './http/hooks/routing.ts';
import { securityHeaders } from './http/hooks/security-headers.ts';
import { createHttpServer } from './http/http-server.ts';
import { validatorCompiler } from './http/validation.ts';
import { serveWebApp } from './http/web-app/web-app.ts';
import { importRoutes } from './imports/routes.ts';
import { insightRoutes } from './insights/routes.ts';
import { institutionRoutes } from './institution/routes.ts';
import { attendanceRoutes } from './marksheets/attendance/routes.ts';
import { confirmationRoutes } from './marksheets/confirmation/routes.ts';
import { sheetGradingRoutes } from './marksheets/grading/routes.ts';
import { openingRoutes } from './marksheets/openings/routes.ts';
import { sheetRegistrationRoutes } from './marksheets/registration/routes.ts';
import { sheetRoutes } from './marksheets/routes.ts';
import { hideRecordsFromTeachers } from './marksheets/teachers/hide-records.ts';
import { metricsRoute } from './metrics/routes.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { savedViewRoutes } from './saved-views/routes.ts';
import { equivalentRoutes, schemeRoutes } from './schemes/routes.ts';
import { sampleDataRoutes } from './seed/routes.ts';
import { auditRoutes } from './students/audit/routes.ts';
import { bulkRoutes } from './students/bulk/routes.ts';
import { formerIdRoutes } from './students/change-id/routes.ts';
import { exportRoutes } from './students/export/routes.ts';
import { gradingRoutes } from './students/grading/routes.ts';
import { holdRoutes } from './students/holds/routes.ts';
import { studentListRoutes, studentRoutes } from './students/routes.ts';
import { academicRoutes } from './students/semesters/routes.ts';
import { termRoutes } from './terms/routes.ts';

export interface AppOptions extends Deps {
  /** Undefined when people can sign in with a password alone. */
  provider?: Provider | undefined;
  logger: FastifyBaseLogger | false;
  /** Folder of the built web application. */
  webDir: string;
  trustedProxies: string[];
  https: boolean;
  /** Grants access to the metrics; without it there are none. */
  metricsToken?: string | undefined;
  isStopping?: () => boolean;
  /** Whether requests arrive faster than this process can answer them. */
  isOverloaded?: () => boolean;
}

const KIB = 1024;

/** Builds the HTTP application and registers every route. */
export async function buildApp(options: AppOptions): Promise<App> {
  const protect = securityHeaders(options);
  const app = Fastify({
    ...(options.logger === false ? { logger: false } : { loggerInstance: options.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: KIB * KIB,
    routerOptions: { maxParamLength: 512 },
    serverFactory: createHttpServer,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    rewriteUrl: toOriginForm,
    clientErrorHandler: handleClientErrors(options),
    frameworkErrors: (error, request, reply) => {
      protect(request, reply);
      // A path with an invalid escape belongs to no screen, so it shows the page for unknown paths.
      return request.url.startsWith('/api') ? sendError(error, request, reply) : reply.redirect('/not-found');
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
  rejectLongUrls(app);
  shedLoad(app, options.isOverloaded ?? (() => false));
  const limit = new RequestLimit(options.settings.requestLimit);
  limitRequests(app, limit);
  acceptJson(app);
  await acceptForms(app);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Student Information Management System', version: '1' } },
    transform: jsonSchemaTransform,
  });

  const linker = Linker.start(options.db.write, (err) => {
    app.log.warn({ err }, 'entries of the history are not linked to its chain yet');
  });
  app.addHook('onClose', () => linker?.stop());
  const getAllowedMethods = trackAllowedMethods(app);
  healthRoute(app, options, options.isStopping ?? (() => false));
  await metricsRoute(app, options);
  registrationRoutes(app, options);
  loginRoute(app, options);
  passwordRecoveryRoutes(app, options);
  acceptInvitationRoute(app, options);
  if (options.provider) providerRoutes(app, options, options.provider, options.https);
  verificationRoutes(app, options);
  apiDocs(app);
  await app.register(async (scope: App) => {
    requireSignIn(scope, options, limit);
    limitHeavyCalls(scope, options.settings.heavyCalls);
    trackWrites(scope, options.db);
    hideRecordsFromTeachers(scope);
    sessionRoutes(scope, options);
    userRoutes(scope, options);
    passwordRoutes(scope, options);
    approvalRoutes(scope, options);
    invitationRoutes(scope, options);
    secondFactorRoutes(scope, options);
    studentRoutes(scope, options);
    formerIdRoutes(scope, options);
    gradingRoutes(scope, options);
    auditRoutes(scope, options);
    holdRoutes(scope, options);
    bulkRoutes(scope, options);
    studentListRoutes(scope, options);
    exportRoutes(scope, options);
    academicRoutes(scope, options);
    courseRoutes(scope, options);
    sheetRoutes(scope, options);
    sheetGradingRoutes(scope, options);
    attendanceRoutes(scope, options);
    confirmationRoutes(scope, options);
    sheetRegistrationRoutes(scope, options);
    openingRoutes(scope, options);
    importRoutes(scope, options);
    sampleDataRoutes(scope, options);
    policyRoutes(scope, options);
    schemeRoutes(scope, options);
    equivalentRoutes(scope, options);
    termRoutes(scope, options);
    institutionRoutes(scope, options);
    homeRoutes(scope, options);
    insightRoutes(scope, options);
    reportRoutes(scope, options);
    documentRoutes(scope, options);
    pictureRoutes(scope, options);
    savedViewRoutes(scope, options);
    historyRoutes(scope, options);
  });

  await serveWebApp(app, options.webDir, getAllowedMethods, {
    recovery: options.mailer !== undefined,
    provider: options.provider?.name,
    // The page is served without a database too.
    hasAccounts: () => hasUsers(options.db.read).catch(() => true),
    letterhead: () => readVerifyHead(options.db.read).catch(() => ({ name: null, logo: null })),
  });
  return app;
}
