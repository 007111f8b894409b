import { useLocation, useNavigate } from '@tanstack/react-router';

/** The section of the profile. `edit` is of the user's own account unless it names another one. */
export type ProfileSection =
  | { name: 'details' }
  | { name: 'edit'; userId: number | undefined }
  | { name: 'password' }
  | { name: 'second-factor' };

export const SECTION_HASH = {
  details: '',
  edit: 'edit',
  password: 'password',
  'second-factor': 'second-factor',
} as const;
export const editHash = (userId: number) => `${SECTION_HASH.edit}-${userId}`;

/** Parses the section from the fragment of the URL; anything unknown is the details. */
export function parseSection(hash: string): ProfileSection {
  if (hash === SECTION_HASH.password) return { name: 'password' };
  if (hash === SECTION_HASH['second-factor']) return { name: 'second-factor' };
  const edit = /^edit(?:-(\d{1,15}))?$/.exec(hash);
  if (edit === null) return { name: 'details' };
  return { name: 'edit', userId: edit[1] === undefined ? undefined : Number(edit[1]) };
}

/**
 * Falls back to the details where the section isn't allowed: only admins edit other, existing accounts.
 *
 * @param userIds ids of all accounts; undefined while they load
 */
export function visibleSection(
  section: ProfileSection,
  { own, isAdmin, userIds }: { own: number; isAdmin: boolean; userIds: readonly number[] },
): ProfileSection {
  if (section.name !== 'edit' || section.userId === undefined) return section;
  if (section.userId === own) return { name: 'edit', userId: undefined };
  return isAdmin && userIds.includes(section.userId) ? section : { name: 'details' };
}

/** The section is part of the URL, so that a reload keeps it and Back leaves it. */
export function useProfileSection() {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const go = (name: keyof typeof SECTION_HASH) => {
    void navigate({
      to: '/list-users',
      hash: SECTION_HASH[name],
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  return { section: parseSection(hash), go };
}
