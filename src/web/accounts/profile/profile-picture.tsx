import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { PictureField } from '../../ui/fields/picture/picture-field.tsx';
import { usePicture } from '../../ui/fields/picture/use-picture.ts';
import { flash } from '../../ui/flash.tsx';

const pictureQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', 'picture', userId],
    queryFn: ({ signal }) => call('GET /api/users/:id/picture', { params: { id: userId }, signal }),
  });

/** The user's picture, or the default one, and the control that changes it. */
export function ProfilePicture({ userId }: { userId: number }) {
  const queries = useQueryClient();
  const stored = useQuery(pictureQuery(userId));
  const address = usePicture(stored.data?.picture ?? null);

  const { start, isRunning, problem } = useTask({
    run: (file: File) => {
      const body = new FormData();
      body.set('picture', file);
      return call('PUT /api/users/:id/picture', { params: { id: userId }, body });
    },
    failure: 'The picture could not be sent. Try again.',
    onDone: (saved) => {
      queries.setQueryData(pictureQuery(userId).queryKey, saved);
      flash('Profile picture updated successfully');
    },
  });

  return (
    <PictureField
      label="Profile picture"
      name="picture"
      subject="picture"
      // Sent as soon as it is chosen.
      file={null}
      onFile={start}
      picture={address}
      emptyLabel="Default profile picture"
      selectLabel="Change profile picture"
      processing={isRunning}
      error={problem}
    />
  );
}
