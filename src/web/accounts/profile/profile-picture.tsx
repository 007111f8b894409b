import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
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
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const stored = useQuery(pictureQuery(userId));
  const address = usePicture(stored.data?.picture ?? null);

  const send = async (file: File) => {
    setIsSending(true);
    setProblem(undefined);
    try {
      const body = new FormData();
      body.set('picture', file);
      const saved = await call('PUT /api/users/:id/picture', { params: { id: userId }, body });
      queries.setQueryData(pictureQuery(userId).queryKey, saved);
      flash('Profile picture updated successfully');
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setIsSending(false);
    }
  };

  return (
    <PictureField
      label="Profile picture"
      name="picture"
      subject="picture"
      // Sent as soon as it is chosen.
      file={null}
      onFile={(file) => void send(file)}
      picture={address}
      emptyLabel="Default profile picture"
      selectLabel="Change profile picture"
      processing={isSending}
      error={problem}
    />
  );
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The picture could not be sent. Try again.';
  return error.errors.picture?.[0] ?? error.message;
}
