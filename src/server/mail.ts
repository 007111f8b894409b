import type { Transporter } from 'nodemailer';
import { isLoopback } from './settings/loopback.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Origin of the links in mails. */
  publicUrl: URL;
  send(mail: Mail): Promise<void>;
}

/**
 * The address for the library: mail with links is not sent in plain text over a network, unless the address says so with
 * `requireTLS=false`. With `smtps:` the connection is encrypted from its beginning.
 */
export function toTransportUrl(smtpUrl: URL): URL {
  const url = new URL(smtpUrl);
  if (url.protocol === 'smtp:' && !isLoopback(url.hostname) && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true');
  return url;
}

/** Sends mail through an SMTP server. Loads the library and connects for the first mail. */
export function createMailer(smtpUrl: URL, publicUrl: URL): Mailer {
  let transport: Transporter | undefined;
  return {
    publicUrl,
    send: async ({ to, ...mail }) => {
      if (transport === undefined) {
        const { createTransport } = await import('nodemailer');
        transport = createTransport(toTransportUrl(smtpUrl).href);
      }
      await transport.sendMail({
        from: { name: 'SIMS', address: `no-reply@${publicUrl.hostname}` },
        // As an object: a text with a comma would be parsed as a list of addresses.
        to: { name: '', address: to },
        ...mail,
      });
    },
  };
}
