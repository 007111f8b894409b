/** The keys' names as this computer's keyboard has them. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export const PALETTE_KEYS = isMac ? '⌘ K' : 'Ctrl K';
export const NEW_TAB_KEYS = isMac ? '⌘ ↵' : 'Ctrl ↵';

/** How a key is written on it. */
export const keyName = (key: string) => (key.length === 1 ? key.toUpperCase() : key);
