/** The pages of imports, which the router loads as one module. */
export { NewImportPage } from './file/new-import-page.tsx';
export { ImportPage } from './import-page.tsx';
export { ImportsPage } from './imports-page.tsx';
