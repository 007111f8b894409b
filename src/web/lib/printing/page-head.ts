/**
 * Prints a text at the top of every page but the first, where the browser has boxes in the margin: sheets that fall apart still
 * say whose they are.
 *
 * @param getText asked when printing begins
 * @returns stops it
 */
export function printPageHead(getText: () => string): () => void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const update = () => {
    // As a string of CSS: everything but letters, digits and spaces as its code point.
    const text = getText().replace(/[^\p{L}\p{N} ]/gu, (one) => `\\${one.codePointAt(0)?.toString(16)} `);
    sheet.replaceSync(
      `@page { @top-left { content: "${text}"; font-size: 8pt; } } @page :first { @top-left { content: none; } }`,
    );
  };
  window.addEventListener('beforeprint', update);
  return () => {
    window.removeEventListener('beforeprint', update);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
