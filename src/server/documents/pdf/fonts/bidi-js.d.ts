declare module 'bidi-js' {
  interface Levels {
    /** The embedding level of each UTF-16 unit; odd ones run from right to left. */
    levels: Uint8Array;
    paragraphs: { start: number; end: number; level: number }[];
  }
  /** The Unicode bidirectional algorithm. */
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): Levels;
    /** The characters to draw instead of others at these places, such as brackets. */
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>;
  }
  export default function bidiFactory(): Bidi;
}
