import { parseArgs } from 'node:util';
import { listPublicKeys, rotateSigningKey } from '../documents/verification/signing-keys.ts';
import { transact } from '../history/transaction.ts';
import { Secrets } from '../secrets/secrets.ts';
import { findSealingKeys, requireKeys } from '../secrets/stored-secrets.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import { openForCommand } from '../transfer/open-for-command.ts';
import { COMMAND_LINE_AUTHOR, type Command } from './command.ts';
import { print } from './print.ts';

const HELP = `Shows or replaces the key that signs the codes of documents. The server may be running.

  ${SIMS_COMMAND} signing-key show
  ${SIMS_COMMAND} signing-key rotate

show     Prints all public keys in PEM, the present one first.
rotate   Makes another key sign from now on, for example after a backup was stolen. The private key before it is deleted
         from the database; documents that it has signed are checked with its public key, which stays.

Exit code 0, or 1 when refused or failed.`;

/** `sims signing-key` */
export const signingKey: Command = {
  summary: 'Shows or replaces the key that signs documents',
  help: HELP,
  run: async (args, env) => {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, ...more] = positionals;
    if (more.length > 0 || (action !== 'show' && action !== 'rotate')) {
      throw new StartError('Say what to do: signing-key show, or signing-key rotate');
    }
    const settings = readCheckedSettings(env, console.warn);
    const secrets = new Secrets(settings.secretKeys);
    const db = await openForCommand(settings);
    try {
      if (action === 'rotate') {
        // With another file it goes on, since the key before may be lost. Without one the key would be stored plain.
        if (!secrets.hasKeys)
          requireKeys(secrets, await findSealingKeys(db.read), 'the database', 'Nothing was changed.');
        const keyId = await transact(db.write, (tx) => rotateSigningKey(tx, secrets, COMMAND_LINE_AUTHOR));
        print(`Key ${keyId} signs documents from now on.`);
        return 0;
      }
      const keys = await listPublicKeys(db.read);
      if (keys.length === 0) print('There is no key yet. It is made with the first document.');
      for (const { keyId, pem } of keys) {
        print(`Key ${keyId}:`);
        for (const line of pem.trim().split('\n')) print(line);
      }
      return 0;
    } finally {
      await db.close();
    }
  },
};
