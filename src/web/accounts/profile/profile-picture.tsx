import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ImageUp, UserRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { UserPicture } from '../../../contract/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { ACCEPTED_PICTURE_TYPES, validatePicture } from '../../ui/fields/picture-validation.ts';
import { usePicture } from '../../ui/fields/use-picture.ts';
import { flash } from '../../ui/flash.tsx';

const pictureQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', 'picture', userId],
    queryFn: ({ signal }) => call<UserPicture>('GET', `/api/users/${userId}/picture`, { signal }),
  });

const frame = 'size-28 rounded-panel border border-ink-line bg-ink-soft';

/** The user's picture, or the default one, and the control that changes it. */
export function ProfilePicture({ userId }: { userId: number }) {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stored = useQuery(pictureQuery(userId));
  const address = usePicture(stored.data?.picture ?? null);

  const send = async (file: File) => {
    const fault = validatePicture(file, 'picture');
    if (fault !== null) return setProblem(fault);
    setIsSending(true);
    setProblem(null);
    try {
      const body = new FormData();
      body.set('picture', file);
      const saved = await call<UserPicture>('PUT', `/api/users/${userId}/picture`, { body });
      queries.setQueryData(pictureQuery(userId).queryKey, saved);
      flash('Profile picture updated successfully');
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setIsSending(false);
    }
  };

  return (
    <div className="grid content-start justify-items-start gap-3">
      {address === null ? (
        <div
          role="img"
          aria-label="Default profile picture"
          className={`grid place-items-center text-ink-text ${frame}`}
        >
          <UserRound className="size-11" strokeWidth={1.25} aria-hidden="true" />
        </div>
      ) : (
        <img src={address} alt="Your profile" className={`object-cover ${frame}`} />
      )}
      <input
        ref={input}
        type="file"
        name="picture"
        aria-label="Profile picture"
        accept={ACCEPTED_PICTURE_TYPES}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.item(0);
          if (file) void send(file);
          // Otherwise choosing the same file again would fire no change event.
          event.target.value = '';
        }}
      />
      <Button
        size="sm"
        processing={isSending}
        aria-describedby={problem === null ? undefined : 'picture-error'}
        onClick={() => input.current?.click()}
      >
        <ImageUp strokeWidth={1.75} aria-hidden="true" />
        Change profile picture
      </Button>
      <div role="alert">{problem !== null && <FieldError id="picture-error">{problem}</FieldError>}</div>
    </div>
  );
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The picture could not be sent. Try again.';
  return error.errors.picture?.[0] ?? error.message;
}
