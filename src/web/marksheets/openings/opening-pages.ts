/** The pages that open a term, which the router loads as one module. */
export { OpenTermPage } from './open-term-page.tsx';
export { OpeningPage } from './opening-page.tsx';
