import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api.ts';
import { DeleteEntry } from '../forms/delete-entry.tsx';
import { flash } from '../shell/flash.tsx';
import { coursePath } from './course-query.ts';
import { forgetCourse } from './forget-course.ts';

interface DeleteCourseProps {
  courseId: string;
  /** The version that the person sees; empty when it is not known. */
  version: string;
  onDeleted: () => void;
  onStale: () => Promise<void>;
  onRefused: (text: string) => void;
}

export function DeleteCourse({ courseId, version, onDeleted, onStale, onRefused }: DeleteCourseProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = async () => {
    await call('DELETE', coursePath(courseId), { ifMatch: version || undefined });
    onDeleted();
    forgetCourse(queries, courseId);
    flash('The course has been deleted from the database.');
    await navigate({ to: '/courses', replace: true });
  };
  return <DeleteEntry remove={remove} onStale={onStale} onRefused={onRefused} />;
}
