import type { Author } from '../history/record-change.ts';

/** Who the history says it was: nobody is signed in at a command line. */
export const COMMAND_LINE: Author = { id: null, name: 'Command line' };
