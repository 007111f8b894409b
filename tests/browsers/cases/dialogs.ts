import { type Case, type Context, checkPlaces } from '../case.ts';
import { findSheets, findStudent, makeImport, makeRecord, makeSchemes } from '../faculty.ts';
import type { Target } from '../page/probe.ts';
import { button, css, part, type Tab } from '../page/tab.ts';

/** How a dialog is opened: on a page, by what is pressed in turn, or a key. */
interface Opening {
  path: string;
  /** The button of the menu that is opened before. Its entry is gone with it, so it gets the focus back. */
  menu?: Target;
  press: readonly (Target | string)[];
}

async function findOpenings(context: Context): Promise<Record<string, Opening>> {
  const { id } = await makeRecord(context);
  const sheets = await findSheets(context);
  const imported = await makeImport(context);
  const record = `/students/${id}`;
  const list = `/students?q=${id}`;
  const tick = css('td.tick-room input');
  const more = button('More');
  const schemes = await makeSchemes(context);
  const scheme = `/students/${(await findStudent(context)).id}/scheme`;
  return {
    'issue documents': { path: record, press: [button('Issue documents')] },
    'change status': { path: record, menu: more, press: [part(button('Change status'))] },
    'change registration number': {
      path: record,
      menu: more,
      press: [button('Change registration number…')],
    },
    'explained CGPA': { path: record, press: [button('Explain')] },
    semester: { path: record, press: [part(button('Semester 1 '))] },
    restore: { path: `${record}/history`, press: [part(button('Undo or restore'))] },
    'bulk change': { path: list, press: [tick, button('Change')] },
    'bulk deletion': { path: list, press: [tick, button('Delete')] },
    'documents of several': { path: list, press: [tick, button('Issue documents')] },
    'columns of an export': {
      path: list,
      menu: button('Other formats'),
      press: [part(button('Columns and results'))],
    },
    'send back': { path: `/marksheets/${sheets.submitted}/results`, press: [button('Send back')] },
    confirm: { path: `/marksheets/${sheets.submitted}/results`, press: [part(button('Confirm'))] },
    rectify: { path: `/marksheets/${sheets.confirmed}/results`, press: [part(button('Rectify'))] },
    'add students': { path: `/marksheets/${sheets.draft}/class`, press: [part(button('Add students'))] },
    revoke: { path: '/documents', press: [part(button('Revoke'))] },
    'undo an import': { path: '/imports', press: [button(`Undo import ${imported}`)] },
    invite: { path: '/list-users', press: [part(button('Invite a user'))] },
    'new scheme': { path: '/settings/schemes', press: [button('New scheme')] },
    'name of a scheme': {
      path: `/settings/schemes/${schemes.draft}`,
      menu: more,
      press: [part(button('Name and batches'))],
    },
    'new pair of courses': { path: '/settings/schemes/equivalents', press: [button('New pair')] },
    'removal of a pair': { path: '/settings/schemes/equivalents', press: [part(button('Remove'))] },
    waiver: { path: scheme, menu: css('button[aria-label^="Change "]'), press: [button('Waive…')] },
    'credits from elsewhere': { path: scheme, press: [button('Add credits')] },
    palette: { path: '/courses', press: ['Control+k'] },
    shortcuts: { path: '/courses', press: ['?'] },
  };
}

/** What had the focus when a dialog was opened by a key. */
const FOCUSED = css('[data-focused]');

async function openByKey(tab: Tab, key: string): Promise<void> {
  await tab.run(() => {
    const first = document.querySelector<HTMLElement>('main a[href]');
    first?.setAttribute('data-focused', '');
    first?.focus();
  });
  await tab.press(key);
}

/**
 * Each dialog shows all its controls in a wide and a narrow window. Escape or Back closes it and gives the focus back to what has
 * opened it.
 */
export const dialogs: Case = {
  name: 'dialogs',
  run: async (context) => {
    const { tab, must } = context;
    let widths = [1440, 390];
    for (const [i, [name, { path, menu, press }]] of Object.entries(await findOpenings(context)).entries()) {
      await tab.follow('/courses');
      await tab.follow(path);
      for (const what of menu === undefined ? press : [menu, ...press]) {
        if (typeof what === 'string') await openByKey(tab, what);
        else await tab.click(what);
      }
      await tab.has(css('dialog:modal'));
      await tab.ready();
      // More than most have controls: the page reports a focus outside.
      await tab.hold('Tab', 12);
      for (const width of widths) {
        await tab.driver.resize(width, 900);
        await checkPlaces(context, `${name} at ${width} px`);
      }
      // A pair of wide and narrow by Escape, the next by Back.
      if (i % 4 < 2) await tab.press('Escape');
      else await tab.driver.back();
      await tab.hasNot(css('dialog:modal'));
      const last = menu ?? press.at(-1);
      const opener = typeof last === 'object' ? last : FOCUSED;
      const isBack = await tab
        .until('the focus is back', (opener) => window.probe.find(opener) === document.activeElement, opener)
        .catch(() => false);
      must(isBack, `${name} at ${widths.at(-1)} px: the focus is on “${await tab.focused()}”`);
      // The next one is opened in the other window.
      widths = widths.toReversed();
    }
  },
};
