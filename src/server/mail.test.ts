import { afterAll, expect, test } from 'vitest';
import { MailServer } from '../../tests/support/services/mail-server.ts';
import { createMailer, toTransportUrl } from './mail.ts';

const mails = await MailServer.start();
afterAll(() => mails.stop());

test.for<[string, string]>([
  ['smtp://mail.example.edu', 'smtp://mail.example.edu?requireTLS=true'],
  ['smtp://mail.example.edu?requireTLS=false', 'smtp://mail.example.edu?requireTLS=false'],
  ['smtps://mail.example.edu', 'smtps://mail.example.edu'],
  ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:25'],
  ['smtp://[::1]', 'smtp://[::1]'],
])('mail through %s is sent through %s', ([given, used]) => {
  expect(toTransportUrl(new URL(given)).href).toBe(used);
});

test('a link is not mailed in plain text where encryption is required and the server has none', async () => {
  const url = new URL(`${mails.url.href}?requireTLS=true`);
  const mailer = createMailer(url, new URL('https://sims.example.edu'));
  const mail = { to: 'uma@x.example', subject: 'A link', text: 'https://sims.example.edu/reset#token=x' };
  await expect(mailer.send(mail)).rejects.toThrow(/STARTTLS/);
  expect(mails.mails).toEqual([]);
});
