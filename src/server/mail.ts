import type { Transporter } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Where the links of a mail lead. */
  publicUrl: URL;
  send(mail: Mail): Promise<void>;
}

/** Sends mail through the configured server; connects at the first mail. */
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
        // As an address, not as a list of some: a comma in it must not make it two.
        to: { name: '', address: to },
        ...mail,
      });
    },
  };
}
