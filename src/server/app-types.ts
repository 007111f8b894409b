import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Provider } from './accounts/provider.ts';
import type { Database } from './db/open.ts';
import type { Mailer } from './mail.ts';
import type { Settings } from './settings.ts';

/** The application, whose routes take their types from the schemas of the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What the features are given. */
export interface Deps {
  db: Database;
  /** Undefined when no mail server is configured. */
  mailer?: Mailer | undefined;
  /** Undefined when people can sign in with a password alone. */
  provider?: Provider | undefined;
  settings: Pick<Settings, 'registration' | 'loginLimit' | 'requestLimit' | 'session'>;
}
