import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  /** Addresses of the SMTP envelope, not of the mail's headers. */
  to: string[];
  headers: Map<string, string>;
  text: string;
}

const RECEIVED_WITHIN_MS = 10_000;

/** A mail server on its own port that stores received mail and forwards nothing. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  readonly #waiting = new Set<() => void>();
  #port = 0;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          this.mails.push({ to, ...readMail(Buffer.concat(chunks).toString('utf8')) });
          for (const look of this.#waiting) look();
          done();
        });
      },
    });
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.#server.server.address();
    if (address === null || typeof address === 'string') throw new Error('The mail server has no port.');
    server.#port = address.port;
    return server;
  }

  get url(): URL {
    return new URL(`smtp://127.0.0.1:${this.#port}`);
  }

  mailsTo(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  /** Waits for the `count`th mail to this address. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const mail = this.mailsTo(address)[count - 1];
        if (mail === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(mail);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`No mail number ${count} came to ${address}.`));
      }, RECEIVED_WITHIN_MS);
      this.#waiting.add(look);
      look();
    });
  }

  /** Closes the port. */
  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Headers and text of a plain-text mail. */
function readMail(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = source.slice(end + 4).replaceAll('\r\n', '\n');
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString('utf8') };
  return { headers, text: encoding === 'quoted-printable' ? readQuotedPrintable(body) : body };
}

function readQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The recovery link in a mail. */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): URL {
  const link = /^https?:\S+$/m.exec(text)?.[0];
  if (link === undefined) throw new Error(`There is no link in the mail:\n${text}`);
  return new URL(link);
}

/** The token of a link, which is behind its hash. */
export function tokenIn({ hash, href }: URL): string {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) throw new Error(`There is no token in the link ${href}.`);
  return token;
}
