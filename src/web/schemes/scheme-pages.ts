/** The pages of schemes of studies, which the router loads as one module. */
export { EquivalentsPage } from './equivalents/equivalents-page.tsx';
export { SchemePage } from './scheme-page.tsx';
export { SchemePreviewPage } from './scheme-preview-page.tsx';
export { SchemesPage } from './schemes-page.tsx';
