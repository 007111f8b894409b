import { findDataFolder } from './bundle/data-folder.ts';
import { loadSettings } from './bundle/settings-file.ts';

// The command line of a bundle: that of every installation, with the data folder and the settings of this one.
loadSettings(findDataFolder());
await import('./cli/sims.ts');
