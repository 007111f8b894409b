import type { ProfileSection } from './profile-section.ts';

interface ProfileToggleProps {
  section: ProfileSection['name'];
  onSection: (section: 'details' | 'edit') => void;
}

const ENTRIES = [
  { name: 'details', label: 'Details' },
  { name: 'edit', label: 'Edit' },
] as const;

/** Details or Edit; changing the password counts as editing. */
export function ProfileToggle({ section, onSection }: ProfileToggleProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form; these change what is shown.
    <div
      role="group"
      aria-label="Profile section"
      className="inline-flex gap-0.5 rounded-[8px] bg-press p-0.75"
    >
      {ENTRIES.map(({ name, label }) => {
        const isOn = (name === 'details') === (section === 'details');
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isOn}
            onClick={() => onSection(name)}
            className={`min-h-7.5 whitespace-nowrap rounded-control px-3.5 font-[540] text-label hover:text-fg pointer-coarse:min-h-10 ${isOn ? 'bg-paper text-fg shadow-[var(--sh-1),0_0_0_1px_var(--line)]' : 'text-fg-2'}`}
          >
            {label}
          </button>
        );
      })}
    </div>
  );
}
