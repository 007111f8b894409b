/** A body that is not read: broken (400), too large (413) or of a kind that is not taken here (415). */
export class RefusedBody extends Error {
  readonly statusCode: 400 | 413 | 415;

  constructor(statusCode: 400 | 413 | 415) {
    super('refused body');
    this.statusCode = statusCode;
  }
}
