/** The pages after the grading of a sheet, which the router loads as one module. */
export { ChangesTab } from '../changes-tab.tsx';
export { NotificationsPage } from './notifications-page.tsx';
export { ResultsTab } from './results-tab.tsx';
