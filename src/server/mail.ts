import type { Transporter } from 'nodemailer';

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

/** Sends mail through an SMTP server. Loads the library and connects for the first mail. */
export function createMailer(smtpUrl: URL, publicUrl: URL): Mailer {
  let transport: Transporter | undefined;
  return {
    publicUrl,
    send: async ({ to, ...mail }) => {
      if (transport === undefined) {
        const { createTransport } = await import('nodemailer');
        transport = createTransport(smtpUrl.href);
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
