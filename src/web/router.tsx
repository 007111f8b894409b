import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { redirectFor } from './guard.ts';
import { readHistoryAddress } from './history/history-address.ts';
import { readInsightsAddress } from './insights/insights-address.ts';
import { isSignedIn, visitedPath } from './session.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { Root } from './shell/root.tsx';
import { readStudentsAddress } from './students/students-address.ts';

function guard(pathname: string): void {
  const to = redirectFor(pathname, { isSignedIn: isSignedIn(), visitedPath: visitedPath() });
  if (to !== null) throw redirect({ to, replace: true });
}

const loadUnknownPath = () => import('./shell/unknown-path.tsx');

const root = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: lazyRouteComponent(loadUnknownPath, 'UnknownPath'),
  beforeLoad: ({ location }) => guard(location.pathname),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'Login' },
  component: lazyRouteComponent(() => import('./accounts/login-page.tsx'), 'LoginPage'),
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  staticData: { title: 'Register' },
  component: lazyRouteComponent(() => import('./accounts/register-page.tsx'), 'RegisterPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  staticData: { title: 'Recover Password' },
  component: lazyRouteComponent(() => import('./accounts/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const passwordRecovery = createRoute({
  getParentRoute: () => root,
  path: '/password-recovery',
  staticData: { title: 'Password Recovery' },
  component: lazyRouteComponent(
    () => import('./accounts/password-recovery-page.tsx'),
    'PasswordRecoveryPage',
  ),
});

const staff = createRoute({
  getParentRoute: () => root,
  id: 'staff',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

/** What changes records is for those whose role lets them. */
const writers = createRoute({
  getParentRoute: () => staff,
  id: 'writers',
  component: lazyRouteComponent(() => import('./shell/writers-only.tsx'), 'WritersOnly'),
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
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'ProfilePage'),
});
const students = createRoute({
  getParentRoute: () => staff,
  path: '/students',
  validateSearch: readStudentsAddress,
  staticData: { title: 'Students' },
  component: lazyRouteComponent(() => import('./students/students-page.tsx'), 'StudentsPage'),
});
const createStudent = createRoute({
  getParentRoute: () => writers,
  path: '/students/create',
  staticData: { title: 'Create an Entry' },
  component: lazyRouteComponent(() => import('./students/create-student-page.tsx'), 'CreateStudentPage'),
});
const student = createRoute({
  getParentRoute: () => staff,
  path: '/students/$studentId',
  staticData: { title: 'Student' },
  component: lazyRouteComponent(() => import('./students/student-page.tsx'), 'StudentPage'),
});
const editStudent = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/edit',
  staticData: { title: 'Edit Student' },
  component: lazyRouteComponent(() => import('./students/edit-student-page.tsx'), 'EditStudentPage'),
});
const createFamily = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/family/create',
  staticData: { title: 'Family Data' },
  component: lazyRouteComponent(() => import('./students/family-create-page.tsx'), 'FamilyCreatePage'),
});
const editFamily = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/family/edit',
  staticData: { title: 'Edit Family' },
  component: lazyRouteComponent(() => import('./students/family-edit-page.tsx'), 'FamilyEditPage'),
});
const createAcademics = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/academics/create',
  staticData: { title: 'Academic Data' },
  component: lazyRouteComponent(() => import('./academics/academics-create-page.tsx'), 'AcademicsCreatePage'),
});
const editAcademics = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/academics/edit',
  staticData: { title: 'Edit Academics' },
  component: lazyRouteComponent(() => import('./academics/academics-edit-page.tsx'), 'AcademicsEditPage'),
});
const courses = createRoute({
  getParentRoute: () => staff,
  path: '/courses',
  staticData: { title: 'Courses' },
  component: lazyRouteComponent(() => import('./courses/courses-page.tsx'), 'CoursesPage'),
});
const createCourse = createRoute({
  getParentRoute: () => writers,
  path: '/courses/create',
  staticData: { title: 'Add a course' },
  component: lazyRouteComponent(() => import('./courses/create-course-page.tsx'), 'CreateCoursePage'),
});
const course = createRoute({
  getParentRoute: () => staff,
  path: '/courses/$courseId',
  staticData: { title: 'Course' },
  component: lazyRouteComponent(() => import('./courses/course-page.tsx'), 'CoursePage'),
});
const editCourse = createRoute({
  getParentRoute: () => writers,
  path: '/courses/$courseId/edit',
  staticData: { title: 'Edit Course' },
  component: lazyRouteComponent(() => import('./courses/edit-course-page.tsx'), 'EditCoursePage'),
});
const insights = createRoute({
  getParentRoute: () => staff,
  path: '/insights',
  validateSearch: readInsightsAddress,
  staticData: { title: 'Insights' },
  component: lazyRouteComponent(() => import('./insights/insights-page.tsx'), 'InsightsPage'),
});
const history = createRoute({
  getParentRoute: () => staff,
  path: '/history',
  validateSearch: readHistoryAddress,
  staticData: { title: 'History' },
  component: lazyRouteComponent(() => import('./history/history-page.tsx'), 'HistoryPage'),
});
const studentHistory = createRoute({
  getParentRoute: () => writers,
  path: '/students/$studentId/history',
  validateSearch: readHistoryAddress,
  staticData: { title: 'History of a student' },
  component: lazyRouteComponent(() => import('./history/student-history-page.tsx'), 'StudentHistoryPage'),
});
const courseHistory = createRoute({
  getParentRoute: () => writers,
  path: '/courses/$courseId/history',
  validateSearch: readHistoryAddress,
  staticData: { title: 'History of a course' },
  component: lazyRouteComponent(() => import('./history/course-history-page.tsx'), 'CourseHistoryPage'),
});

/** Login and Register slide past each other; every other change of page is plain. */
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
    staff.addChildren([
      home,
      showcase,
      users,
      students,
      student,
      courses,
      course,
      insights,
      history,
      writers.addChildren([
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
      ]),
    ]),
  ]),
  // Plain texts, as people write them into an address: `q=409318` is no number here and needs no quotes.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: plainSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }) => {
      const slide = SLIDES.get(toLocation.pathname);
      return slide !== undefined && fromLocation !== undefined && SLIDES.has(fromLocation.pathname)
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
    /** When the list of students put its own search or order into the address. */
    listChangedAt?: number;
  }
  interface StaticDataRouteOption {
    /** The page's name, in front of the product's in the title of the window. */
    title?: string;
  }
}
