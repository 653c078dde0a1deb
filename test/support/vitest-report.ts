import { relative } from 'node:path'

/** The part of vitest's JSON report that the counts are taken from. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    /** the file's path */
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

/**
 * Counts the results of a vitest run. A file that could not be loaded, or whose hook failed, has no failed test and counts as one; so
 * does a run that failed although every test passed (an unhandled rejection), that ran no test, or that has no report (a crash).
 */
export function countTests(report: VitestReport | undefined, exitCode: number | null): TestCounts {
  if (!report) return { passed: 0, failed: 1 }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const passed = report.numPassedTests
  const failed = report.numFailedTests + brokenFiles.length
  const hasRunFailed = exitCode !== 0 || passed === 0
  return { passed, failed: failed === 0 && hasRunFailed ? 1 : failed }
}

/** @returns each failed test as `<file> > <name>`, and each file that failed without one */
export function listFailures(report: VitestReport, root: string): string[] {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length > 0 ? failed.map(({ fullName }) => `${file} > ${fullName}`) : [file]
    })
}
