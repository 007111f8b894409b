import {
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
import { parsePrintSearchParams, parseStudentsSearchParams } from './students/list/model/search-params.ts';
import { parseSemesterSearchParams } from './students/semester-search-params.ts';

function guard({ pathname, href }: { pathname: string; href: string }): void {
  const isGuest = !isSignedIn();
  const to = redirectFor(pathname, { isSignedIn: !isGuest, visitedPath: lastVisitedPath() });
  if (to === null) return;
  if (isGuest) storeOpenedLink(href);
  throw redirect({ to, replace: true });
}

// Pages that are visited together are loaded together.
const loadStaffLayout = () => import('./staff-layout.tsx');
const loadAuthPages = () => import('./accounts/auth/auth-pages.ts');
const loadCoursePages = () => import('./courses/course-pages.ts');
const loadVerifyPages = () => import('./documents/verification/verify-page.tsx');
const loadHistoryPages = () => import('./history/history-pages.tsx');
const loadImportPages = () => import('./imports/import-pages.ts');
const loadConfirmationPages = () => import('./marksheets/confirmation/confirmation-pages.ts');
const loadSheetForms = () => import('./marksheets/setup/setup-pages.ts');
const loadSettingsPages = () => import('./settings/settings-pages.ts');
const loadEntryPages = () => import('./students/entry/entry-pages.ts');
const loadListPages = () => import('./students/list/list-pages.ts');

const root = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: lazyRouteComponent(loadStaffLayout, 'NotFoundInLayout'),
  beforeLoad: ({ location }) => guard(location),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'Login' },
  component: lazyRouteComponent(loadAuthPages, 'LoginPage'),
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  staticData: { title: 'Register' },
  component: lazyRouteComponent(loadAuthPages, 'RegisterPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  staticData: { title: 'Recover Password' },
  component: lazyRouteComponent(loadAuthPages, 'ForgotPasswordPage'),
});
const passwordRecovery = createRoute({
  getParentRoute: () => root,
  path: '/password-recovery',
  staticData: { title: 'Password Recovery' },
  component: lazyRouteComponent(loadAuthPages, 'ResetPasswordPage'),
});
const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  staticData: { title: 'Set a New Password' },
  component: lazyRouteComponent(loadAuthPages, 'SetPasswordPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  staticData: { title: 'Your Invitation' },
  component: lazyRouteComponent(loadAuthPages, 'InvitationPage'),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  staticData: { title: 'Verify Your Email' },
  component: lazyRouteComponent(loadAuthPages, 'VerifyEmailPage'),
});

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  staticData: { title: 'Document verification' },
  component: lazyRouteComponent(loadVerifyPages, 'VerifyPage'),
});
const earlierVerify = createRoute({
  getParentRoute: () => root,
  path: '/verify/$code',
  staticData: { title: 'Document verification' },
  component: lazyRouteComponent(loadVerifyPages, 'EarlierVerifyPage'),
});

const twoFactor = createRoute({
  getParentRoute: () => root,
  path: '/two-factor',
  staticData: { title: 'Two-step Verification' },
  component: lazyRouteComponent(() => import('./accounts/two-factor/two-factor-page.tsx'), 'TwoFactorPage'),
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

const home = createRoute({
  getParentRoute: () => staff,
  path: '/',
  staticData: { title: 'Home' },
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});
const showcase = createRoute({
  getParentRoute: () => staff,
  path: '/someshit',
  staticData: { title: 'States' },
  component: lazyRouteComponent(() => import('./showcase/showcase-page.tsx'), 'ShowcasePage'),
});
const users = createRoute({
  getParentRoute: () => staff,
  path: '/list-users',
  staticData: { title: 'Your Profile' },
  component: lazyRouteComponent(() => import('./accounts/profile/profile-page.tsx'), 'ProfilePage'),
});
const students = createRoute({
  getParentRoute: () => staff,
  path: '/students',
  validateSearch: parseStudentsSearchParams,
  staticData: { title: 'Students' },
  component: lazyRouteComponent(loadListPages, 'StudentsPage'),
});
const bulkChanges = createRoute({
  getParentRoute: () => writers,
  path: '/bulk-changes',
  staticData: { title: 'Bulk changes' },
  component: lazyRouteComponent(loadListPages, 'BulkChangesPage'),
});
const printStudents = createRoute({
  getParentRoute: () => staff,
  path: '/students/print',
  validateSearch: parsePrintSearchParams,
  staticData: { title: 'Print students' },
  component: lazyRouteComponent(loadListPages, 'PrintPage'),
});
const createStudent = createRoute({
  getParentRoute: () => writers,
  path: '/students/create',
  staticData: { title: 'Create an Entry' },
  component: lazyRouteComponent(loadEntryPages, 'CreateStudentPage'),
});
const student = createRoute({
  getParentRoute: () => staff,
  path: '/students/$studentId',
  staticData: { title: 'Student' },
  component: lazyRouteComponent(() => import('./students/record/student-page.tsx'), 'StudentPage'),
});
const editStudent = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/edit',
  staticData: { title: 'Edit Student' },
  component: lazyRouteComponent(loadEntryPages, 'EditStudentPage'),
});
const createFamily = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/family/create',
  staticData: { title: 'Family Data' },
  component: lazyRouteComponent(loadEntryPages, 'CreateFamilyPage'),
});
const editFamily = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/family/edit',
  staticData: { title: 'Edit Family' },
  component: lazyRouteComponent(loadEntryPages, 'EditFamilyPage'),
});
const createAcademics = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/academics/create',
  staticData: { title: 'Academic Data' },
  component: lazyRouteComponent(loadEntryPages, 'CreateSemesterPage'),
});
const editAcademics = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/academics/edit',
  validateSearch: parseSemesterSearchParams,
  staticData: { title: 'Edit Academics' },
  component: lazyRouteComponent(loadEntryPages, 'EditSemesterPage'),
});
const courses = createRoute({
  getParentRoute: () => staff,
  path: '/courses',
  staticData: { title: 'Courses' },
  component: lazyRouteComponent(loadCoursePages, 'CoursesPage'),
});
const createCourse = createRoute({
  getParentRoute: () => writers,
  path: '/courses/create',
  staticData: { title: 'Add a course' },
  component: lazyRouteComponent(loadCoursePages, 'CreateCoursePage'),
});
const course = createRoute({
  getParentRoute: () => staff,
  path: '/courses/$courseId',
  staticData: { title: 'Course' },
  component: lazyRouteComponent(loadCoursePages, 'CoursePage'),
});
const editCourse = createRoute({
  getParentRoute: () => writers,
  path: '/courses/$courseId/edit',
  staticData: { title: 'Edit Course' },
  component: lazyRouteComponent(loadCoursePages, 'EditCoursePage'),
});
const sheets = createRoute({
  getParentRoute: () => staff,
  path: '/marksheets',
  staticData: { title: 'Mark sheets' },
  component: lazyRouteComponent(() => import('./marksheets/sheets-page.tsx'), 'SheetsPage'),
});
const resultNotifications = createRoute({
  getParentRoute: () => staff,
  path: '/marksheets/notifications',
  staticData: { title: 'Result notifications' },
  component: lazyRouteComponent(loadConfirmationPages, 'NotificationsPage'),
});
const createSheet = createRoute({
  getParentRoute: () => writers,
  path: '/marksheets/new',
  staticData: { title: 'New mark sheet' },
  component: lazyRouteComponent(loadSheetForms, 'CreateSheetPage'),
});
const editSheet = createRoute({
  getParentRoute: () => writers,
  path: '/marksheets/$sheetId/setup',
  staticData: { title: 'Set-up' },
  component: lazyRouteComponent(loadSheetForms, 'EditSetupPage'),
});
const sheet = createRoute({
  getParentRoute: () => staff,
  path: '/marksheets/$sheetId',
  staticData: { title: 'Mark sheet' },
  component: lazyRouteComponent(() => import('./marksheets/sheet-layout.tsx'), 'SheetLayout'),
});
const sheetMarks = createRoute({
  getParentRoute: () => sheet,
  path: '/',
  component: lazyRouteComponent(() => import('./marksheets/grid/marks-tab.tsx'), 'MarksTab'),
});
const sheetClass = createRoute({
  getParentRoute: () => sheet,
  path: '/class',
  component: lazyRouteComponent(() => import('./marksheets/class-list/class-tab.tsx'), 'ClassTab'),
});
const sheetGrades = createRoute({
  getParentRoute: () => sheet,
  path: '/grades',
  component: lazyRouteComponent(() => import('./marksheets/grading/grades-tab.tsx'), 'GradesTab'),
});
const sheetResults = createRoute({
  getParentRoute: () => sheet,
  path: '/results',
  component: lazyRouteComponent(loadConfirmationPages, 'ResultsTab'),
});
const sheetChanges = createRoute({
  getParentRoute: () => sheet,
  path: '/changes',
  component: lazyRouteComponent(loadConfirmationPages, 'ChangesTab'),
});
const insights = createRoute({
  getParentRoute: () => staff,
  path: '/insights',
  staticData: { title: 'Insights' },
  component: lazyRouteComponent(() => import('./insights/page/insights-page.tsx'), 'InsightsPage'),
});
const reports = createRoute({
  getParentRoute: () => staff,
  path: '/reports',
  staticData: { title: 'Reports' },
  component: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
});
const history = createRoute({
  getParentRoute: () => staff,
  path: '/history',
  staticData: { title: 'History' },
  component: lazyRouteComponent(loadHistoryPages, 'HistoryPage'),
});
const studentHistory = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/history',
  staticData: { title: 'History of a student' },
  component: lazyRouteComponent(loadHistoryPages, 'StudentHistoryPage'),
});
const courseHistory = createRoute({
  getParentRoute: () => writers,
  path: '/courses/$courseId/history',
  staticData: { title: 'History of a course' },
  component: lazyRouteComponent(loadHistoryPages, 'CourseHistoryPage'),
});
const documents = createRoute({
  getParentRoute: () => writers,
  path: '/documents',
  staticData: { title: 'Documents' },
  component: lazyRouteComponent(() => import('./documents/register/register-page.tsx'), 'RegisterPage'),
});
const imports = createRoute({
  getParentRoute: () => writers,
  path: '/imports',
  staticData: { title: 'Imports' },
  component: lazyRouteComponent(loadImportPages, 'ImportsPage'),
});
const newImport = createRoute({
  getParentRoute: () => writers,
  path: '/imports/new',
  staticData: { title: 'New import' },
  component: lazyRouteComponent(loadImportPages, 'NewImportPage'),
});
const oneImport = createRoute({
  getParentRoute: () => writers,
  path: '/imports/$importId',
  staticData: { title: 'Import' },
  component: lazyRouteComponent(loadImportPages, 'ImportPage'),
});

/** Pages for administrators. */
const admins = createRoute({
  getParentRoute: () => staff,
  id: 'admins',
  component: lazyRouteComponent(loadSettingsPages, 'AdminsOnly'),
});
const settings = createRoute({
  getParentRoute: () => admins,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(loadSettingsPages, 'SettingsLayout'),
});
const institution = createRoute({
  getParentRoute: () => settings,
  path: '/',
  staticData: { title: 'Institution' },
  component: lazyRouteComponent(loadSettingsPages, 'InstitutionPage'),
});
const terms = createRoute({
  getParentRoute: () => settings,
  path: '/terms',
  staticData: { title: 'Terms' },
  component: lazyRouteComponent(loadSettingsPages, 'TermsPage'),
});
const createTerm = createRoute({
  getParentRoute: () => admins,
  path: '/settings/terms/create',
  staticData: { title: 'Add a term' },
  component: lazyRouteComponent(loadSettingsPages, 'CreateTermPage'),
});
const editTerm = createRoute({
  getParentRoute: () => admins,
  path: '/settings/terms/$termId',
  staticData: { title: 'Edit term' },
  component: lazyRouteComponent(loadSettingsPages, 'EditTermPage'),
});
const policies = createRoute({
  getParentRoute: () => settings,
  path: '/grading',
  staticData: { title: 'Grading policies' },
  component: lazyRouteComponent(loadSettingsPages, 'PoliciesPage'),
});
const createPolicy = createRoute({
  getParentRoute: () => admins,
  path: '/settings/grading/create',
  staticData: { title: 'New policy' },
  component: lazyRouteComponent(loadSettingsPages, 'CreatePolicyPage'),
});

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
    login,
    register,
    forgotPassword,
    passwordRecovery,
    setPassword,
    invitation,
    verifyEmail,
    verify,
    earlierVerify,
    twoFactor,
    staff.addChildren([
      home,
      showcase,
      users,
      students,
      printStudents,
      student,
      courses,
      course,
      sheets,
      resultNotifications,
      sheet.addChildren([sheetMarks, sheetClass, sheetGrades, sheetResults, sheetChanges]),
      insights,
      reports,
      history,
      writers.addChildren([
        bulkChanges,
        createStudent,
        editStudent,
        createFamily,
        editFamily,
        createAcademics,
        editAcademics,
        createCourse,
        editCourse,
        studentHistory,
        courseHistory,
        createSheet,
        editSheet,
        documents,
        imports,
        newImport,
        oneImport,
      ]),
      admins.addChildren([
        settings.addChildren([institution, terms, policies]),
        createTerm,
        editTerm,
        createPolicy,
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
