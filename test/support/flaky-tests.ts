import type { Reporter, TestCase } from 'vitest/node'

/** Lists the tests that passed only when they were tried again: each is a race, in the test or in the product. */
export default class FlakyTests implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0)
      console.log(`\npassed only when tried again, to be mended:\n${this.#names.join('\n')}`)
  }
}
