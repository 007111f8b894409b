/** One fault and the checks that must succeed when it happens. */
export interface Row {
  /** Its name on the command line. */
  name: string;
  /** A short description of the fault. */
  fault: string;
  run(findings: Findings): Promise<void>;
}

/** The findings of a row, printed as they occur. */
export class Findings {
  readonly figures: string[] = [];
  readonly broken: string[] = [];
  skipped: string | undefined;

  /** Adds a figure to the final table. */
  report(figure: string): void {
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
