export { HoldsTab } from './holds/holds-tab.tsx';
export { DocumentsTab, RecordLayout, WritersTab } from './record-layout.tsx';
export { RecordTab } from './record-tab.tsx';
export { SchemeTab } from './scheme/scheme-tab.tsx';
export { TermsTab } from './terms/terms-tab.tsx';
