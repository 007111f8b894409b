import { unique } from '../../support/records.ts';
import { type Case, checkPlaces, input } from '../case.ts';
import { button, css, field, part } from '../page/tab.ts';

/**
 * A new member of staff registers, and is signed in after a reload. When the session is ended elsewhere, what was typed is kept; a wrong password
 * is refused, Enter signs in, and signing out asks.
 */
export const signIn: Case = {
  name: 'sign-in',
  run: async (context) => {
    const { tab } = context;
    const email = `${unique()}@faculty.example`;
    const password = `pass word ${unique()}`;
    await tab.run(() => sessionStorage.clear());
    for (const width of [390, 1440]) {
      await tab.driver.resize(width, 900);
      for (const path of ['/login', '/forgot-password', '/register']) {
        await tab.goto(path);
        await checkPlaces(context, `${path} at ${width} px`, ['light', 'dark']);
      }
    }
    await tab.fill(input('name'), 'Bilal Ahmed');
    await tab.fill(input('email'), email);
    await tab.fill(input('password'), password);
    await tab.fill(input('password_confirmation'), password);
    await tab.click(button('Register'));
    await tab.untilPath(/^\/$/);
    await tab.shows('Bilal Ahmed');
    await tab.reload();
    await tab.shows('Bilal Ahmed');
    await tab.follow('/courses/create');
    await tab.fill(field('Course name'), 'Statics');
    await tab.run(async () => {
      const token = sessionStorage.getItem('AUTH-TOKEN');
      await fetch('/api/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    });
    await tab.fill(field('Course ID'), '1');
    await tab.fill(field('Course code'), 'CE-1');
    await tab.click(button('Create Entry'));
    await tab.untilPath(/^\/login/);
    await tab.shows('Your session has ended. Sign in again. What you typed is kept.');
    await tab.fill(input('email'), email);
    await tab.fill(input('password'), 'not the password');
    await tab.press('Enter');
    await tab.has(css('[role="alert"]'));
    await tab.fill(input('password'), password);
    await tab.press('Enter');
    await tab.shows('You are signed in. What you typed is kept.');
    await tab.click(part(button('Continue with')));
    await tab.untilPath(/^\/courses\/create/);
    await tab.until('what was typed is kept', () =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'Statics'),
    );
    await tab.click(button('Logout'));
    await tab.click(button('Yes'));
    await tab.untilPath(/^\/login/);
  },
};

/** A user is invited by a link, which is copied and pasted. */
export const inviting: Case = {
  name: 'inviting',
  run: async ({ tab, adminPassword, must }) => {
    await tab.follow('/list-users');
    await tab.click(button('Invite a user'));
    await tab.fill(input('invited-name'), 'Sana Malik');
    await tab.fill(input('invited-email'), `${unique()}@faculty.example`);
    await tab.choose(input('invited-role'), 'Viewer');
    await tab.fill(input('proof-password'), adminPassword);
    await tab.click(button('Invite'));
    await tab.has(field('Link'));
    const address = await tab.run(
      () => document.querySelector<HTMLInputElement>('[name="account-link"]')?.value ?? '',
    );
    await tab.click(button('Copy link'));
    await tab.shows('The link has been copied.');
    await tab.hasNot(css('dialog:modal'));
    must((await tab.focused()) === 'Invite a user', `the focus is on “${await tab.focused()}”`);
    await tab.follow('/students');
    const search = css('input[type="search"]');
    await tab.fill(search, '');
    await tab.press('Control+v');
    const pasted = await tab.run(() => (document.activeElement as HTMLInputElement).value);
    must(pasted === address && /#token=/.test(address), `copied: ${address}, pasted: ${pasted}`);
    await tab.fill(search, ' ');
  },
};
