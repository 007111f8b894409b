/** A control or another element, as a person names it. */
export interface Target {
  /** Of the element, or a selector. */
  role: 'button' | 'link' | 'field' | 'dialog' | 'heading' | 'css';
  name: string;
  /** The name only contains the given one. */
  isPart?: true;
}

export interface Probe {
  find: (target: Target) => HTMLElement | undefined;
  /** Where a click on the target goes to, or why none can be made there. */
  place: (target: Target) => { x: number; y: number } | { problem: string };
  /** The place, or undefined if a click can't be made there or it moves. */
  settle: (target: Target) => Promise<{ x: number; y: number } | undefined>;
  /** Controls in sight that a pointer does not meet, and what is outside of its dialog or the window. */
  findMisplaced: () => string[];
  /** How much wider than the window the page is, and by what. */
  findExcess: () => string | undefined;
  isReady: () => boolean;
  /** How often the page was printed. */
  printed: number;
  /** What is in sight, as text. */
  text: () => string;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/**
 * Runs in the page, before the application. Reports errors to the site of the test, and finds what a person would look for. Its
 * source text is sent, so it uses nothing from outside of itself.
 */
export function installProbe(): void {
  const report = (text: string) => {
    void fetch('/problems', { method: 'POST', body: text, keepalive: true });
  };
  window.addEventListener('error', (event) => report(`error: ${event.message}`));
  window.addEventListener('unhandledrejection', ({ reason }) => report(`unhandled rejection: ${reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    report(`violation of the policy: ${violatedDirective} ${blockedURI}`),
  );
  for (const level of ['error', 'warn'] as const) {
    const { [level]: log } = console;
    console[level] = (...parts: unknown[]) => {
      report(`console.${level}: ${parts.map(String).join(' ')}`);
      log.apply(console, parts);
    };
  }

  document.addEventListener('focusin', ({ target }) => {
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    if (dialog !== undefined && !dialog.contains(target as Element))
      report('the focus is outside of a dialog');
  });

  // A person would have to close its window.
  window.print = () => {
    window.probe.printed += 1;
  };

  // Messages stay longer, as under a pointer: on a busy machine they would be gone before they are read or pressed.
  const HOLDS_MESSAGES_MS = 20_000;
  let held: Element | null = null;
  new MutationObserver(() => {
    const message = document.querySelector('.flash');
    if (message === held) return;
    held = message;
    if (message === null) return;
    message.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    setTimeout(() => {
      message.dispatchEvent(new PointerEvent('pointerout', { bubbles: true }));
    }, HOLDS_MESSAGES_MS);
  }).observe(document, { childList: true, subtree: true });

  const CONTROLS =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex]:not([tabindex="-1"])';
  const flat = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const isShown = (element: Element) => {
    // Not what is folded, which has a place in WebKit all the same.
    if (element.getClientRects().length === 0 || !element.checkVisibility()) return false;
    return getComputedStyle(element).visibility === 'visible' && element.closest('[inert]') === null;
  };
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/);
    if (ids) return flat(ids.map((id) => document.getElementById(id)?.textContent).join(' '));
    const label = element.getAttribute('aria-label');
    if (label !== null) return flat(label);
    const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null;
    if (labels && labels.length > 0) return flat([...labels].map(({ textContent }) => textContent).join(' '));
    return flat(element.textContent) || flat(element.getAttribute('title'));
  };
  const SELECTORS = {
    button: 'button, [role="button"], summary',
    link: 'a[href]',
    field: 'input:not([type="hidden"]), select, textarea, [role="combobox"], [role="radio"]',
    dialog: 'dialog[open]',
    heading: 'h1, h2, h3',
  };
  /** The dialog on top, which makes the rest inert, or the page. */
  const scope = (): ParentNode => [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const find: Probe['find'] = ({ role, name, isPart = false }) => {
    const within = role === 'css' || role === 'dialog' ? document : scope();
    const all = [...within.querySelectorAll<HTMLElement>(role === 'css' ? name : SELECTORS[role])];
    return all.find((element) => {
      if (!isShown(element)) return false;
      if (role === 'css') return true;
      // A star marks required fields.
      const own = nameOf(element).replace(/ ?\*$/, '');
      return isPart ? own.includes(name) : own === name;
    });
  };

  const describe = (element: Element | null) => {
    if (element === null) return 'nothing';
    const classes = typeof element.className === 'string' ? element.className.split(' ').slice(0, 2) : [];
    const name = nameOf(element).slice(0, 40);
    return `${[element.localName, ...classes].join('.')}${name === '' ? '' : ` “${name}”`}`;
  };
  /** The middle of its first line. */
  const centre = (element: Element) => {
    const rect = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
    const { left, top, width, height } = rect ?? element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const meets = (element: Element, { x, y }: { x: number; y: number }) => {
    const met = document.elementFromPoint(x, y);
    if (met === null) return false;
    if (element.contains(met) || (met.contains(element) && met.localName === 'label')) return true;
    return (
      'labels' in element &&
      [...((element.labels as NodeListOf<Element> | null) ?? [])].some((label) => label.contains(met))
    );
  };
  const isInWindow = ({ x, y }: { x: number; y: number }) =>
    x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

  const place: Probe['place'] = (target) => {
    const element = find(target);
    if (element === undefined) return { problem: 'there is none' };
    if (element.matches(':disabled, [aria-disabled="true"]')) return { problem: 'it is disabled' };
    let at = centre(element);
    if (!isInWindow(at) || !meets(element, at)) {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      at = centre(element);
    }
    if (!isInWindow(at)) return { problem: 'it is outside of the window' };
    const hit = document.elementFromPoint(at.x, at.y);
    return meets(element, at) ? at : { problem: `it is covered by ${describe(hit)}` };
  };

  const settle: Probe['settle'] = async (target) => {
    const before = place(target);
    if ('problem' in before) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 30));
    const after = place(target);
    return 'x' in after && after.x === before.x && after.y === before.y ? after : undefined;
  };

  /** Whether an ancestor that scrolls or hides what is outside of it leaves the place out. */
  const isCutOff = (element: Element, { x, y }: { x: number; y: number }) => {
    for (
      let box = element.parentElement;
      box !== null && box.localName !== 'dialog';
      box = box.parentElement
    ) {
      if (!/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflow)) continue;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) return true;
    }
    return false;
  };
  /** The box that leaves a place at its side out and does not scroll to it: nobody can reach what is there. */
  const findClipping = (element: Element, { x }: { x: number }) => {
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      const { left, right } = box.getBoundingClientRect();
      if (x >= left && x <= right) continue;
      // Or it is read aloud alone.
      if (/auto|scroll/.test(overflowX) || box.clientWidth <= 1) return undefined;
      if (/hidden|clip/.test(overflowX)) return box;
    }
    return undefined;
  };
  const findExcess: Probe['findExcess'] = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return undefined;
    const causes = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, top, width } = element.getBoundingClientRect();
      return width > 0 && right > clientWidth && !isCutOff(element, { x: right, y: top });
    });
    return `the page is ${scrollWidth - clientWidth} px wider than the window, by ${describe(causes.at(-1) ?? null)}`;
  };
  /** Parts of a dialog that scroll although it could be higher: they would be no higher without content. */
  const findSqueezed = (dialog: Element) => {
    const heightLimit = (element: Element) => Number.parseFloat(getComputedStyle(element).maxHeight);
    const limit = heightLimit(dialog);
    const room =
      Math.min(innerHeight, Number.isNaN(limit) ? innerHeight : limit) -
      dialog.getBoundingClientRect().height;
    if (room < 2) return [];
    return [...dialog.querySelectorAll(':not(textarea, select)')].filter((part) => {
      if (!isShown(part) || part.scrollHeight - part.clientHeight < 2) return false;
      if (!/auto|scroll|hidden/.test(getComputedStyle(part).overflowY)) return false;
      // Some are meant to be low: the list of a combination, a few lines of a text.
      for (let box: Element | null = part; box !== null && box !== dialog; box = box.parentElement) {
        if (!Number.isNaN(heightLimit(box)) || box.matches('.sr-only')) return false;
      }
      return true;
    });
  };
  const findMisplaced: Probe['findMisplaced'] = () => {
    const problems: string[] = [];
    const excess = findExcess();
    if (excess !== undefined) problems.push(excess);
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    for (const part of dialog === undefined ? [] : findSqueezed(dialog)) {
      problems.push(
        `a part of a dialog scrolls although the window has room: ${describe(part)} is ${part.clientHeight} px of ${part.scrollHeight} high`,
      );
    }
    const { scrollX, scrollY } = window;
    // WebKit does not let these hold something positioned.
    for (const element of document.querySelectorAll('tr, thead, tbody, tfoot, td, th')) {
      const { display, position } = getComputedStyle(element);
      if (display.startsWith('table') && /relative|absolute|fixed/.test(position)) {
        problems.push(`${describe(element)} of a table is positioned`);
      }
    }
    for (const element of scope().querySelectorAll<HTMLElement>(CONTROLS)) {
      if (!isShown(element) || element.closest('.sr-only, .skip-link') !== null) continue;
      if (element.getAttribute('aria-hidden') === 'true') continue;
      let at = centre(element);
      if (dialog === undefined) {
        const clipping = findClipping(element, at);
        if (clipping !== undefined) problems.push(`${describe(element)} is cut off by ${describe(clipping)}`);
        if (!isInWindow(at) || isCutOff(element, at)) continue;
      } else if (!meets(element, at)) {
        element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        at = centre(element);
        const { top, bottom, left, right } = dialog.getBoundingClientRect();
        if (at.y < top || at.y > bottom || at.x < left || at.x > right) {
          problems.push(`${describe(element)} is outside of its dialog`);
          continue;
        }
      }
      if (meets(element, at)) continue;
      // It may only be under a bar that stays while the page scrolls.
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      at = centre(element);
      if (!meets(element, at)) {
        problems.push(
          `${describe(element)} is covered by ${describe(document.elementFromPoint(at.x, at.y))}`,
        );
      }
      window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
    }
    return problems;
  };

  window.probe = {
    find,
    place,
    settle,
    findMisplaced,
    findExcess,
    printed: 0,
    isReady: () =>
      document.readyState === 'complete' &&
      document.title !== '' &&
      document.querySelector('#root h1') !== null &&
      // That page shows every part in every condition.
      (location.pathname === '/someshit' ||
        [...document.querySelectorAll('.skeleton, [aria-busy="true"], .loading[open]')].every(
          (element) => !isShown(element),
        )),
    text: () => flat((scope() === document ? document.body : (scope() as HTMLElement)).innerText),
  };
}
