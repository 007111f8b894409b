/** The list of students and what belongs to it, which the router loads as one module. */
export { BulkChangesPage } from './bulk/bulk-changes-page.tsx';
export { PrintPage } from './print/print-page.tsx';
export { StudentsPage } from './students-page.tsx';
