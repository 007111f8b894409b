import type { Font } from 'fontkit';

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** A font that is open already, which the types of the library leave out. */
      registerFont(name: string, font: Font): this;
    }
  }
}
