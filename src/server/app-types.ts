import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Database } from './db/database.ts';
import type { Mailer } from './mail.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { Settings } from './settings/settings.ts';

/** The Fastify application; the types of its routes come from the schemas of the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The parts that the routes depend on. */
export interface Deps {
  db: Database;
  /** Undefined without a mail server. */
  mailer?: Mailer | undefined;
  /** Encrypts what must be stored but is not to be read with the database. */
  secrets: Secrets;
  settings: Pick<
    Settings,
    | 'registration'
    | 'twoFactorRoles'
    | 'loginLimit'
    | 'requestLimit'
    | 'heavyCalls'
    | 'session'
    | 'publicUrl'
    | 'backup'
  >;
}
