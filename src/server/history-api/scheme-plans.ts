import { exceptionInput, outsideCreditInput } from '../../contract/schemes/audit.ts';
import { schemeUpdate } from '../../contract/schemes/schemes.ts';
import type { Db } from '../db/schema.ts';
import type { Entry } from '../history/chain.ts';
import type { RecordState } from '../history/fields.ts';
import { firstVersion } from '../history/record-change.ts';
import { etag, versionPart } from '../http/etags.ts';
import { findScheme, toSchemeState } from '../schemes/present-scheme.ts';
import { restoreScheme, updateScheme } from '../schemes/write-scheme.ts';
import { createException, findExceptions, toExceptionState } from '../students/audit/exceptions.ts';
import {
  createOutsideCredit,
  findOutsideCredits,
  presentOutsideCredit,
  updateOutsideCredit,
} from '../students/audit/outside-credits.ts';
import { findStudent } from '../students/queries.ts';
import { type RestorePlan, restoreConflict, studentIsDeleted, validateState } from './restore-plans.ts';

export const cannotBeRestored = () => restoreConflict('This can’t be restored.');

/** A draft of a scheme with its rows; a deleted one is restored under its number. */
export async function planScheme(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  const schemeId = Number(entry.entity_id);
  const row = await findScheme(db, schemeId);
  if ((row?.number ?? state.number ?? null) !== null) throw cannotBeRestored();
  const input = validateState(schemeUpdate, state);
  if (row === undefined) {
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { version } = await restoreScheme(tx, author, schemeId, input);
        return etag(versionPart.scheme(version));
      },
    };
  }
  return {
    current: toSchemeState(row),
    target: state,
    version: etag(versionPart.scheme(row.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await updateScheme(tx, author, schemeId, input, ifMatch);
      return etag(versionPart.scheme(version));
    },
  };
}

/** An exception that was taken back. */
export async function planException(
  db: Db,
  { entity_id: id }: Entry,
  state: RecordState,
): Promise<RestorePlan> {
  if ((await findStudent(db, id)) === undefined) throw studentIsDeleted();
  const exceptionId = Number(state.exception_id);
  const row = (await findExceptions(db, [id])).find(({ exception_id }) => exception_id === exceptionId);
  const input = validateState(exceptionInput, state);
  return {
    current: row === undefined ? {} : toExceptionState(row),
    target: state,
    version: row && etag(versionPart.exception(exceptionId)),
    apply: async (tx, author) => {
      const { exception_id } = await createException(tx, author, id, input, exceptionId);
      return etag(versionPart.exception(exception_id));
    },
  };
}

/** A course from elsewhere; a deleted one is restored under its number. */
export async function planOutsideCredit(
  db: Db,
  { entity_id: id }: Entry,
  state: RecordState,
): Promise<RestorePlan> {
  if ((await findStudent(db, id)) === undefined) throw studentIsDeleted();
  const outsideId = Number(state.outside_id);
  const row = (await findOutsideCredits(db, [id])).find(({ outside_id }) => outside_id === outsideId);
  const input = validateState(outsideCreditInput, state);
  return {
    current: row === undefined ? {} : presentOutsideCredit(row),
    target: state,
    version: row && etag(versionPart.outsideCredit(row.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } =
        row === undefined
          ? await createOutsideCredit(tx, author, id, input, {
              outside_id: outsideId,
              version: await firstVersion(tx, ['outside-credit'], id),
            })
          : await updateOutsideCredit(tx, author, { id, outsideId }, input, ifMatch);
      return etag(versionPart.outsideCredit(version));
    },
  };
}
