import crypto from 'node:crypto';
import process from 'node:process';
import { promisify } from 'node:util';
import { getReason, StartError } from '../../start-error.ts';

/** How much a hash costs: KiB of memory, passes over it, and lanes that run side by side. */
export interface Argon2Cost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** Argon2id with the hashes as text: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. Runs on the thread pool. */
export interface Argon2 {
  hash(password: string, cost: Argon2Cost): Promise<string>;
  /** @throws Error when the text is no such hash */
  verify(hash: string, password: string): Promise<boolean>;
}

interface Argon2Parameters {
  message: string;
  nonce: Buffer;
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
}

/** The call that Node.js has from 24.7 on. */
type NodeArgon2 = (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
  callback: (error: Error | null, tag: Buffer) => void,
) => void;

const hasArgon2 = (module: object): module is { argon2: NodeArgon2 } =>
  'argon2' in module && typeof module.argon2 === 'function';

const SALT_BYTES = 16;
const TAG_BYTES = 32;
const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const toText = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** {@link Argon2} by the call of Node.js. */
function ofNode({ argon2 }: { argon2: NodeArgon2 }): Argon2 {
  const compute = promisify(argon2);
  return {
    async hash(message, { memoryCost, timeCost, parallelism }) {
      const nonce = crypto.randomBytes(SALT_BYTES);
      const parameters = { message, nonce, parallelism, tagLength: TAG_BYTES };
      const tag = await compute('argon2id', { ...parameters, memory: memoryCost, passes: timeCost });
      return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${toText(nonce)}$${toText(tag)}`;
    },
    async verify(hash, message) {
      const [, memory, passes, parallelism, salt, stored] = HASH.exec(hash) ?? [];
      if (salt === undefined || stored === undefined) throw new Error('The text is no hash of Argon2id.');
      const expected = Buffer.from(stored, 'base64');
      const tag = await compute('argon2id', {
        message,
        nonce: Buffer.from(salt, 'base64'),
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      });
      return crypto.timingSafeEqual(tag, expected);
    },
  };
}

let loaded: Promise<Argon2> | undefined;

/** The implementation of this process, loaded once. @throws StartError as {@link chooseArgon2} */
export function loadArgon2(): Promise<Argon2> {
  loaded ??= chooseArgon2(() => import('@node-rs/argon2'));
  return loaded;
}

/**
 * That of a package with native code, which takes half as long as that of Node.js. The latter serves where the package can't be
 * loaded, such as on a Windows without the Visual C++ runtime. Each verifies the hashes of the other.
 *
 * @throws StartError when there is neither
 */
export async function chooseArgon2(loadPackage: () => Promise<Argon2>): Promise<Argon2> {
  try {
    return await loadPackage();
  } catch (error) {
    if (hasArgon2(crypto)) return ofNode(crypto);
    const cure =
      process.platform === 'win32'
        ? 'Use Node.js 24.7 or later, or install the Visual C++ runtime of Microsoft (vc_redist).'
        : 'Use Node.js 24.7 or later, or install the packages again: npm ci.';
    throw new StartError(`Passwords can't be hashed: ${getReason(error)} ${cure}`);
  }
}
