/** The pages of the settings, which the router loads as one module. */
export { InstitutionPage } from './institution-page.tsx';
export { AdminsOnly, SettingsLayout } from './settings-layout.tsx';
export { CreateTermPage, EditTermPage } from './term-pages.tsx';
export { TermsPage } from './terms-page.tsx';
