/** The pages of courses, which the router loads as one module. */
export { CoursePage } from './course-page.tsx';
export { CoursesPage } from './courses-page.tsx';
export { CreateCoursePage } from './create-course-page.tsx';
export { EditCoursePage } from './edit-course-page.tsx';
