import type { Student } from '../../contract/students/students.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { PageHeader, type PageHeaderProps } from '../ui/page/page.tsx';
import { nameAndClass } from './student-format.ts';

interface StudentPageHeaderProps extends Omit<PageHeaderProps, 'subject'> {
  /** Undefined until loaded. */
  student: Student | undefined;
}

/** The header of a page whose title has the ID alone: the student's name and class below it, and in the tab's title. */
export function StudentPageHeader({ student, ...header }: StudentPageHeaderProps) {
  const subject = student && nameAndClass(student);
  usePageSubject(subject);
  return <PageHeader {...header} subject={subject} />;
}
