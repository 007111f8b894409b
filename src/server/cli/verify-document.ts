import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DOCUMENT_TITLES } from '../../domain/documents/kinds.ts';
import { type ReadCode, readCode } from '../documents/verification/code.ts';
import { OtherKeyKind, parsePublicKey } from '../documents/verification/signing-keys.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';

const HELP = `Checks the code of a document with the public key, without a server and a database.

  curl https://sims.example.edu/api/verify/key > key.pem
  ${SIMS_COMMAND} verify-document MQox... --key key.pem

The code is what the QR code of the document has, with or without the address before it (between quotes, for its #). Compare
what is printed here with the paper. The signature says that the document was issued with these figures; whether it has been
revoked, or the record has other figures by now, only the page of the installation can say.

  --key <file>   The public keys in PEM, one or several.

Exit code 0 when one of the keys has signed the code, 1 when not.`;

/** `sims verify-document` */
export const verifyDocument: Command = {
  summary: 'Checks the code of a document with the public key',
  help: HELP,
  run: async (args) => {
    const { positionals, values } = parseArgs({
      args,
      options: { key: { type: 'string' } },
      allowPositionals: true,
    });
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0 || values.key === undefined) {
      throw new StartError('Name one code and the file of the key: verify-document <code> --key <file>');
    }
    const keys = readKeys(values.key);
    const code = readCode(given.trim().split(/[/#]/).at(-1) ?? '');
    if (code === undefined)
      throw new StartError('This is no code of a document, or a part of it is missing.');
    if (!keys.some((key) => code.isSignedBy(key))) {
      throw new StartError(
        `The code was changed, or none of the keys in ${values.key} has signed it. It names key ${code.summary.keyId}.`,
      );
    }
    printSummary(code);
    return 0;
  },
};

function readKeys(file: string) {
  const text = readFileSync(file, 'utf8');
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new StartError(`${file} has no public key in PEM.`);
  return blocks.map((block) => {
    try {
      return parsePublicKey(block);
    } catch (error) {
      if (error instanceof OtherKeyKind) throw new StartError(`${file}: ${error.message}`);
      throw new StartError(`${file} has a public key that can't be read.`);
    }
  });
}

function printSummary({ summary }: ReadCode): void {
  const { kind, semester, cgpa } = summary;
  const lines = {
    Document: `${DOCUMENT_TITLES[kind]}, ${kind === 'transcript' ? `semesters 1 to ${semester}` : `semester ${semester}`}`,
    Serial: summary.serial,
    Name: summary.studentName,
    'CMS ID': summary.studentId,
    Programme: summary.programme,
    Credits: String(summary.credits),
    CGPA: cgpa === null ? '--' : cgpa.toFixed(2),
    Issued: summary.issuedOn,
    'Signed by': `key ${summary.keyId}`,
  };
  print('The signature is right. Compare these with the paper:');
  for (const [label, value] of Object.entries(lines)) print(`  ${label.padEnd(10)} ${value}`);
}
