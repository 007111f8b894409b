import type { Institution, InstitutionUpdate } from '../../contract/installation/institution.ts';
import { advisoryLock } from '../db/dialect/locks.ts';
import type { Db, InstitutionTable, Tx } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import { type Author, isNoOp, recordChange } from '../history/record-change.ts';
import { type RecordKind, requireCurrent } from '../http/change-record.ts';
import { versionPart } from '../http/etags.ts';
import {
  findMissingPictures,
  findPictureId,
  type ReadyPicture,
  storePicture,
} from '../pictures/store-picture.ts';

/** The key of the only row. */
export const INSTITUTION_ID = 1;

const NOTHING_ENTERED: InstitutionTable = {
  id: INSTITUTION_ID,
  name: null,
  short_name: null,
  address: null,
  signatories: '[]',
  logo: null,
  public_url: null,
  programmes: '[]',
  version: 0,
};

function presentInstitution({ id: _, signatories, programmes, ...row }: InstitutionTable): Institution {
  return { ...row, signatories: JSON.parse(signatories), programmes: JSON.parse(programmes) };
}

const INSTITUTION: RecordKind<InstitutionTable> = {
  entity: 'institution',
  versionPart: versionPart.institution,
  present: presentInstitution,
};

async function getRow(db: Db): Promise<InstitutionTable> {
  const row = await db.selectFrom('institution').selectAll().executeTakeFirst();
  return row ?? NOTHING_ENTERED;
}

/** Version 0 while nothing has been entered. */
export async function getInstitution(db: Db): Promise<Institution> {
  return presentInstitution(await getRow(db));
}

const sentOr = <Value>(sent: Value | undefined, stored: Value): Value => (sent === undefined ? stored : sent);

/**
 * Changes what is known of the institution. What is left out stays as it is.
 *
 * @param sent with a new logo as `picture`, which takes precedence over the URL of a stored one
 * @throws ValidationError when the URL of the logo is not that of a stored picture
 */
export async function updateInstitution(
  tx: Tx,
  author: Author,
  { picture, ...sent }: InstitutionUpdate & { picture?: ReadyPicture | undefined },
  ifMatch: string | undefined,
): Promise<Institution> {
  await advisoryLock(tx, 'institution');
  const row = await getRow(tx);
  await requireCurrent(tx, INSTITUTION, { id: INSTITUTION_ID, row }, ifMatch);
  const before = presentInstitution(row);
  const columns = {
    name: sentOr(sent.name, before.name),
    short_name: sentOr(sent.short_name, before.short_name),
    address: sentOr(sent.address, before.address),
    public_url: sentOr(sent.public_url, before.public_url),
    signatories: JSON.stringify(sentOr(sent.signatories, before.signatories)),
    programmes: JSON.stringify(sentOr(sent.programmes, before.programmes)),
    logo: picture === undefined ? sentOr(sent.logo, before.logo) : await storePicture(tx, picture),
  };
  if (isNoOp(author, row, columns)) return before;
  await requireStoredPicture(tx, columns.logo);
  const changed = { ...row, ...columns, version: row.version + 1 };
  await tx
    .insertInto('institution')
    .values(changed)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute();
  const after = presentInstitution(changed);
  await recordChange(tx, author, {
    ...(row.version === 0 ? { action: 'create' } : { action: 'update', before }),
    entity: 'institution',
    entityId: INSTITUTION_ID,
    after,
  });
  return after;
}

async function requireStoredPicture(tx: Tx, logo: string | null): Promise<void> {
  if (logo === null) return;
  const isStored = findPictureId(logo) !== undefined && !(await findMissingPictures(tx, [logo])).has(logo);
  if (!isStored) throw invalidField('logo', 'The logo must be a picture that is stored here.');
}
