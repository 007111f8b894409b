import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../api.ts';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { coursePath } from './course-query.ts';
import { forgetCourse } from './forget-course.ts';

interface DeleteCourseProps {
  courseId: string;
  onDeleted: () => void;
  /** Hears why the server would not delete. */
  onRefused: (text: string) => void;
}

/** The button and the question it asks first. */
export function DeleteCourse({ courseId, onDeleted, onRefused }: DeleteCourseProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);

  const remove = async () => {
    setIsDeleting(true);
    try {
      await call('DELETE', coursePath(courseId));
      onDeleted();
      forgetCourse(queries, courseId);
      flash('The course has been deleted from the database.');
      await navigate({ to: '/courses', replace: true });
    } catch (error) {
      onRefused(error instanceof ApiError ? error.message : 'The course could not be deleted. Try again.');
    } finally {
      setIsDeleting(false);
      setIsAsking(false);
    }
  };

  return (
    <>
      <Button variant="danger-quiet" onClick={() => setIsAsking(true)}>
        <Trash2 strokeWidth={1.75} aria-hidden="true" />
        Delete
      </Button>
      <Dialog
        isOpen={isAsking}
        tone="danger"
        text="Are you sure you want to delete this entry?"
        processing={isDeleting}
        onYes={() => void remove()}
        onNo={() => setIsAsking(false)}
      />
    </>
  );
}
