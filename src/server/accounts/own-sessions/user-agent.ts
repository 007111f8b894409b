/** Browsers in this order: each also names those further down. */
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

const firstMatch = (kinds: typeof BROWSERS, text: string) =>
  kinds.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Browser and system by the names that their users know, such as `Firefox on Windows`; another program by its own name.
 * Null when unknown. The client may claim anything, so no decision may depend on it.
 */
export function describeUserAgent(userAgent: string | null): string | null {
  const text = userAgent ?? '';
  const browser = firstMatch(BROWSERS, text) ?? /^(?!Mozilla\b)([A-Za-z][\w.-]{0,30})\//.exec(text)?.[1];
  const system = firstMatch(SYSTEMS, text);
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}
