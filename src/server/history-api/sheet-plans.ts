import type { Db } from '../db/schema.ts';
import type { Entry } from '../history/chain.ts';
import type { RecordState } from '../history/fields.ts';
import { etag, versionPart } from '../http/etags.ts';
import { parseKeptSetup, parseKeptSheet } from '../marksheets/restore/kept-sheet.ts';
import { restoreSetup, restoreSheet } from '../marksheets/restore/restore-sheet.ts';
import { setupState } from '../marksheets/store-draft.ts';
import { type RestorePlan, restoreConflict } from './restore-plans.ts';

/** A deleted draft with its marks, under a new number; or the set-up that a draft had before components with marks were discarded. */
export async function planSheet(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  if (entry.action === 'delete') {
    const kept = parseKeptSheet(state);
    if (kept === undefined) {
      throw restoreConflict(
        'This mark sheet was deleted by an earlier version, which kept nothing of its marks.',
      );
    }
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { sheet_id, version } = await restoreSheet(tx, author, kept, entry.id);
        return {
          etag: etag(versionPart.sheet(version)),
          message: `The mark sheet has been restored, with number ${sheet_id}.`,
        };
      },
    };
  }
  const kept = parseKeptSetup(state);
  if (kept === undefined) {
    throw restoreConflict(
      'Of mark sheets deleted drafts can be restored, and components that were discarded with their marks.',
    );
  }
  const sheetId = Number(entry.entity_id);
  const sheet = await db.selectFrom('sheets').selectAll().where('sheet_id', '=', sheetId).executeTakeFirst();
  if (sheet === undefined) {
    throw restoreConflict('This mark sheet has been deleted. Restore the entry of the deletion first.');
  }
  return {
    current: setupState(sheet),
    target: state,
    version: etag(versionPart.sheet(sheet.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await restoreSetup(tx, author, sheetId, kept, { entry: entry.id, ifMatch });
      return etag(versionPart.sheet(version));
    },
  };
}
