/** The pages of the settings, which the router loads as one module. */
export { CreatePolicyPage } from './grading/create-policy-page.tsx';
export { PoliciesPage } from './grading/policies-page.tsx';
export { InstitutionPage } from './institution-page.tsx';
export { AdminsOnly, SettingsLayout } from './settings-layout.tsx';
export { CreateTermPage, EditTermPage } from './term-pages.tsx';
export { TermsPage } from './terms-page.tsx';
