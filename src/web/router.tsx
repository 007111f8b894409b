import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { redirectFor } from './guard.ts';
import { storeOpenedLink } from './lib/navigation/return-page.ts';
import { isSignedIn, lastVisitedPath } from './lib/session.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { Root } from './shell/root.tsx';

function guard({ pathname, href }: { pathname: string; href: string }): void {
  const isGuest = !isSignedIn();
  const to = redirectFor(pathname, { isSignedIn: !isGuest, visitedPath: lastVisitedPath() });
  if (to === null) return;
  if (isGuest) storeOpenedLink(href);
  throw redirect({ to, replace: true });
}

// Pages that are visited together are loaded together.
const loadStaffLayout = () => import('./staff-layout.tsx');
const loadSignInPages = () => import('./accounts/auth/sign-in-pages.ts');
const loadLinkPages = () => import('./accounts/auth/link-pages.ts');
const loadCoursePages = () => import('./courses/course-pages.ts');
const loadVerifyPages = () => import('./documents/verification/verify-page.tsx');
const loadHistoryPages = () => import('./history/history-pages.tsx');
const loadImportPages = () => import('./imports/import-pages.ts');
const loadConfirmationPages = () => import('./marksheets/confirmation/confirmation-pages.ts');
const loadOpeningPages = () => import('./marksheets/openings/opening-pages.ts');
const loadSheetForms = () => import('./marksheets/setup/setup-pages.ts');
const loadSchemePages = () => import('./schemes/scheme-pages.ts');
const loadSettingsPages = () => import('./settings/settings-pages.ts');
const loadEntryPages = () => import('./students/entry/entry-pages.ts');
const loadRecordPages = () => import('./students/record/record-pages.ts');
const loadListPages = () => import('./students/list/list-pages.ts');

const root = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: lazyRouteComponent(loadStaffLayout, 'NotFoundInLayout'),
  beforeLoad: ({ location }) => guard(location),
});

/** A page with its title, loaded when it is opened. A tab has the title of its page. */
const page = <Parent extends AnyRoute, const Path extends string, Pages extends Record<string, () => void>>(
  parent: Parent,
  path: Path,
  title: string | undefined,
  load: () => Promise<Pages>,
  name: keyof Pages & string,
) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    staticData: title === undefined ? {} : { title },
    component: lazyRouteComponent(load, name),
  });

const staff = createRoute({
  getParentRoute: () => root,
  id: 'staff',
  component: lazyRouteComponent(loadStaffLayout, 'StaffLayout'),
});
/** Pages that change records need a role that may write. */
const writers = createRoute({
  getParentRoute: () => staff,
  id: 'writers',
  component: lazyRouteComponent(loadStaffLayout, 'WritersOnly'),
});
/** Pages for administrators. */
const admins = createRoute({
  getParentRoute: () => staff,
  id: 'admins',
  component: lazyRouteComponent(loadSettingsPages, 'AdminsOnly'),
});
const record = page(staff, '/students/$studentId', 'Student', loadRecordPages, 'RecordLayout');
/** The tabs of a student that only users who can write may open. */
const recordForWriters = createRoute({
  getParentRoute: () => record,
  id: 'writers',
  component: lazyRouteComponent(loadRecordPages, 'WritersTab'),
});
const sheet = page(
  staff,
  '/marksheets/$sheetId',
  'Mark sheet',
  () => import('./marksheets/sheet-layout.tsx'),
  'SheetLayout',
);
const settings = page(admins, '/settings', 'Settings', loadSettingsPages, 'SettingsLayout');

/** Login and Register change with a slide transition; all other navigations have none. */
const SLIDES = new Map([
  ['/login', 'to-login'],
  ['/register', 'to-register'],
]);

function plainSearch(search: Record<string, unknown>): string {
  const texts = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`;
}

export const router = createRouter({
  routeTree: root.addChildren([
    page(root, '/login', 'Login', loadSignInPages, 'LoginPage'),
    page(root, '/register', 'Register', loadSignInPages, 'RegisterPage'),
    page(root, '/forgot-password', 'Recover Password', loadLinkPages, 'ForgotPasswordPage'),
    page(root, '/password-recovery', 'Password Recovery', loadLinkPages, 'ResetPasswordPage'),
    page(root, '/set-password', 'Set a New Password', loadLinkPages, 'SetPasswordPage'),
    page(root, '/invitation', 'Your Invitation', loadLinkPages, 'InvitationPage'),
    page(root, '/verify-email', 'Verify Your Email', loadLinkPages, 'VerifyEmailPage'),
    page(root, '/verify', 'Document verification', loadVerifyPages, 'VerifyPage'),
    page(root, '/verify/$code', 'Document verification', loadVerifyPages, 'EarlierVerifyPage'),
    page(
      root,
      '/two-factor',
      'Two-factor Authentication',
      () => import('./accounts/two-factor/two-factor-page.tsx'),
      'TwoFactorPage',
    ),
    staff.addChildren([
      page(staff, '/documents/holds', 'Holds', () => import('./documents/holds/holds-page.tsx'), 'HoldsPage'),
      page(staff, '/', 'Home', () => import('./home/home-page.tsx'), 'HomePage'),
      page(staff, '/someshit', 'States', () => import('./showcase/showcase-page.tsx'), 'ShowcasePage'),
      page(
        staff,
        '/list-users',
        'Your Profile',
        () => import('./accounts/profile/profile-page.tsx'),
        'ProfilePage',
      ),
      page(staff, '/students', 'Students', loadListPages, 'StudentsPage'),
      page(staff, '/students/print', 'Print students', loadListPages, 'PrintPage'),
      record.addChildren([
        page(record, '/', undefined, loadRecordPages, 'RecordTab'),
        page(record, '/scheme', 'Scheme of a student', loadRecordPages, 'SchemeTab'),
        page(record, '/terms', 'Terms of a student', loadRecordPages, 'TermsTab'),
        page(record, '/holds', 'Holds of a student', loadRecordPages, 'HoldsTab'),
        recordForWriters.addChildren([
          page(recordForWriters, '/documents', 'Documents of a student', loadRecordPages, 'DocumentsTab'),
          page(recordForWriters, '/history', 'History of a student', loadHistoryPages, 'StudentHistoryTab'),
        ]),
      ]),
      page(staff, '/courses', 'Courses', loadCoursePages, 'CoursesPage'),
      page(staff, '/courses/$courseId', 'Course', loadCoursePages, 'CoursePage'),
      page(staff, '/marksheets', 'Mark sheets', () => import('./marksheets/sheets-page.tsx'), 'SheetsPage'),
      page(
        staff,
        '/marksheets/notifications',
        'Result notifications',
        loadConfirmationPages,
        'NotificationsPage',
      ),
      sheet.addChildren([
        page(sheet, '/', undefined, () => import('./marksheets/grid/marks-tab.tsx'), 'MarksTab'),
        page(sheet, '/class', undefined, () => import('./marksheets/class-list/class-tab.tsx'), 'ClassTab'),
        page(sheet, '/grades', undefined, () => import('./marksheets/grading/grades-tab.tsx'), 'GradesTab'),
        page(sheet, '/results', undefined, loadConfirmationPages, 'ResultsTab'),
        page(sheet, '/changes', undefined, loadConfirmationPages, 'ChangesTab'),
      ]),
      page(staff, '/insights', 'Insights', () => import('./insights/page/insights-page.tsx'), 'InsightsPage'),
      page(staff, '/reports', 'Reports', () => import('./reports/reports-page.tsx'), 'ReportsPage'),
      page(staff, '/history', 'History', loadHistoryPages, 'HistoryPage'),
      page(staff, '/settings/schemes/$schemeId', 'Scheme', loadSchemePages, 'SchemePage'),
      writers.addChildren([
        page(writers, '/bulk-changes', 'Bulk changes', loadListPages, 'BulkChangesPage'),
        page(writers, '/students/create', 'Create an Entry', loadEntryPages, 'CreateStudentPage'),
        page(writers, '/students/$studentId/edit', 'Edit Student', loadEntryPages, 'EditStudentPage'),
        page(
          writers,
          '/students/$studentId/family/create',
          'Family Data',
          loadEntryPages,
          'CreateFamilyPage',
        ),
        page(writers, '/students/$studentId/family/edit', 'Edit Family', loadEntryPages, 'EditFamilyPage'),
        page(
          writers,
          '/students/$studentId/academics/create',
          'Academic Data',
          loadEntryPages,
          'CreateSemesterPage',
        ),
        page(
          writers,
          '/students/$studentId/academics/edit',
          'Edit Academics',
          loadEntryPages,
          'EditSemesterPage',
        ),
        page(writers, '/courses/create', 'Add a course', loadCoursePages, 'CreateCoursePage'),
        page(writers, '/courses/$courseId/edit', 'Edit Course', loadCoursePages, 'EditCoursePage'),
        page(
          writers,
          '/courses/$courseId/history',
          'History of a course',
          loadHistoryPages,
          'CourseHistoryPage',
        ),
        page(writers, '/marksheets/new', 'New mark sheet', loadSheetForms, 'CreateSheetPage'),
        page(writers, '/marksheets/$sheetId/setup', 'Set-up', loadSheetForms, 'EditSetupPage'),
        page(
          writers,
          '/documents',
          'Documents',
          () => import('./documents/register/register-page.tsx'),
          'RegisterPage',
        ),
        page(writers, '/imports', 'Imports', loadImportPages, 'ImportsPage'),
        page(writers, '/imports/new', 'New import', loadImportPages, 'NewImportPage'),
        page(writers, '/imports/$importId', 'Import', loadImportPages, 'ImportPage'),
      ]),
      admins.addChildren([
        settings.addChildren([
          page(settings, '/', 'Institution', loadSettingsPages, 'InstitutionPage'),
          page(settings, '/terms', 'Terms', loadSettingsPages, 'TermsPage'),
          page(settings, '/grading', 'Grading policies', loadSettingsPages, 'PoliciesPage'),
          page(settings, '/schemes', 'Schemes', loadSchemePages, 'SchemesPage'),
          page(settings, '/schemes/equivalents', 'Equivalents', loadSchemePages, 'EquivalentsPage'),
        ]),
        page(admins, '/marksheets/open', 'Open a term', loadOpeningPages, 'OpenTermPage'),
        page(
          admins,
          '/marksheets/open/$termId/$openingId',
          'Opening of a term',
          loadOpeningPages,
          'OpeningPage',
        ),
        page(admins, '/settings/terms/create', 'Add a term', loadSettingsPages, 'CreateTermPage'),
        page(admins, '/settings/terms/$termId', 'Edit term', loadSettingsPages, 'EditTermPage'),
        page(
          admins,
          '/settings/schemes/$schemeId/preview',
          'Effect of a scheme',
          loadSchemePages,
          'SchemePreviewPage',
        ),
        page(admins, '/settings/grading/create', 'New policy', loadSettingsPages, 'CreatePolicyPage'),
      ]),
    ]),
  ]),
  // The default parses `q=409318` as a number and puts quotes around such texts; here all values stay plain text.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: plainSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }) => {
      const slide = SLIDES.get(toLocation.pathname);
      const from = fromLocation?.pathname;
      // A redirect may lead to the page that is shown. Starting its slide again would interrupt the first one.
      return slide !== undefined && from !== undefined && from !== toLocation.pathname && SLIDES.has(from)
        ? [slide]
        : false;
    },
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** When the list of students wrote its search or sort order to the URL (epoch milliseconds). */
    listChangedAt?: number;
    /** The student that the form of this history entry has created. */
    createdStudentId?: string;
    /** The course that it has created, whose marks are still to be stored. */
    createdCourseId?: string;
  }
  interface StaticDataRouteOption {
    /** The page's name, which comes before the product's in the document title. */
    title?: string;
  }
}
