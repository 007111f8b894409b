import type { App, Deps } from '../app-types.ts';
import { classDocumentRoutes } from './classes/routes.ts';
import { ownCopyRoutes } from './own-copy/routes.ts';
import { Printer } from './pdf/printer.ts';
import { registerRoutes } from './register/routes.ts';

/** Everything that is printed: documents in the register, documents on a class, and own copies. One printer makes them all. */
export function documentRoutes(app: App, { db, settings, secrets }: Deps): void {
  const printer = new Printer();
  app.addHook('onClose', () => printer.close());
  registerRoutes(app, { db, settings, secrets, printer });
  classDocumentRoutes(app, db, printer);
  ownCopyRoutes(app, db, printer);
}
