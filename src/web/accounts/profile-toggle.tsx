import { Segments } from '../ui/segments.tsx';
import type { ProfileSection } from './profile-section.ts';

interface ProfileToggleProps {
  section: ProfileSection['name'];
  onSection: (section: 'details' | 'edit') => void;
}

const OPTIONS = [
  { value: 'details', label: 'Details' },
  { value: 'edit', label: 'Edit' },
] as const;

/** Details or Edit; changing the password counts as editing. */
export function ProfileToggle({ section, onSection }: ProfileToggleProps) {
  return (
    <Segments
      label="Profile section"
      options={OPTIONS}
      value={section === 'details' ? 'details' : 'edit'}
      onChange={onSection}
    />
  );
}
