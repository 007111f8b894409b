/** The pages of a student's three steps, to create and to edit, which the router loads as one. */
export { CreateStudentPage } from './base/create-student-page.tsx';
export { EditStudentPage } from './base/edit-student-page.tsx';
export { CreateFamilyPage } from './family/create-family-page.tsx';
export { EditFamilyPage } from './family/edit-family-page.tsx';
export { CreateSemesterPage } from './semester/create-semester-page.tsx';
export { EditSemesterPage } from './semester/edit-semester-page.tsx';
