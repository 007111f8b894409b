/** One fault and the checks that must succeed when it happens. */
export interface Scenario {
  /** Its name on the command line. */
  name: string;
  /** A short description of the fault. */
  fault: string;
  run(findings: Findings): Promise<void>;
}

/** The findings of a scenario, printed as they occur. */
export class Findings {
  readonly figures: string[] = [];
  readonly failed: string[] = [];
  skipped: string | undefined;

  /** Adds a figure to the final table. */
  report(figure: string): void {
    this.figures.push(figure);
    console.log(`   ${figure}`);
  }

  must(holds: boolean, requirement: string): void {
    if (holds) return;
    this.failed.push(requirement);
    console.log(`   FAILED: ${requirement}`);
  }

  skip(reason: string): void {
    this.skipped = reason;
    console.log(`   Skipped: ${reason}`);
  }
}
