/** The forms of mark sheets, which the router loads as one module. */
export { CreateSheetPage } from './create-sheet-page.tsx';
export { EditSetupPage } from './edit-setup-page.tsx';
