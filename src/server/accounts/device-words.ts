/** In this order: each browser also claims to be those below it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (kinds: typeof BROWSERS, text: string) => kinds.find(([sign]) => sign.test(text))?.[1];

/**
 * Browser and system in the words that their user knows them by, such as `Firefox on Windows`; a program goes by its own
 * name. Null where nothing is known. It says what the caller claims, so it is for recognising, never for deciding.
 */
export function deviceWords(userAgent: string | null): string | null {
  const text = userAgent ?? '';
  const browser = firstOf(BROWSERS, text) ?? /^(?!Mozilla\b)([A-Za-z][\w.-]{0,30})\//.exec(text)?.[1];
  const system = firstOf(SYSTEMS, text);
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}
