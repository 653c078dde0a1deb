/** What the judges found: a line each, and the numbers. */
export interface Report {
  pass(what: string): void
  fail(what: string, why: string): void
  /** something that a judge needs is missing */
  skip(what: string, why: string): void
  /** a line that counts for nothing */
  tell(line: string): void
  /** the last line */
  summary(): string
  countFailed(): number
  countSkipped(): number
}

/** @param print gets each line, with its end */
export function openReport(print: (text: string) => void): Report {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  return {
    pass(what) {
      counts.passed += 1
      print(`ok      ${what}\n`)
    },
    fail(what, why) {
      counts.failed += 1
      print(`FAILED  ${what}: ${why}\n`)
    },
    skip(what, why) {
      counts.skipped += 1
      print(`skipped ${what}: ${why}\n`)
    },
    tell: (line) => print(`${line}\n`),
    summary: () => `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    countFailed: () => counts.failed,
    countSkipped: () => counts.skipped,
  }
}
