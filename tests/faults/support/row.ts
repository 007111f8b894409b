/** One fault, and what must hold when it happens. */
export interface Row {
  /** What it is called on the command line. */
  name: string;
  /** What happens, in a few words. */
  fault: string;
  run(findings: Findings): Promise<void>;
}

/** What a row has seen, told as it is seen. */
export class Findings {
  readonly figures: string[] = [];
  readonly broken: string[] = [];
  skipped: string | undefined;

  /** A figure for the closing table. */
  tell(figure: string): void {
    this.figures.push(figure);
    console.log(`   ${figure}`);
  }

  must(holds: boolean, promise: string): void {
    if (holds) return;
    this.broken.push(promise);
    console.log(`   NOT KEPT: ${promise}`);
  }

  skip(reason: string): void {
    this.skipped = reason;
    console.log(`   Skipped: ${reason}`);
  }
}
