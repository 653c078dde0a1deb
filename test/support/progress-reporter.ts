import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** A test file that has ended. */
export interface EndedFile {
  readonly file: string
  readonly isFine: boolean
  /** tests that ran and passed */
  readonly passed: number
  /** of its worker, and of what the worker has started; undefined if its set-up has failed */
  readonly processorMs: number | undefined
  /** tests that took more than a tenth of a second of the processor */
  readonly dearTests: readonly { readonly name: string; readonly processorMs: number }[]
}

/** What a vitest run tells the process that started it: its number of files when it starts, then each one that ends. */
export type Progress = { readonly files: number } | EndedFile

/** Vitest's reporter for `test/run.ts`. */
export default class ProgressReporter implements Reporter {
  onTestRunStart(files: readonly unknown[]): void {
    this.#send({ files: files.length })
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()]
    this.#send({
      file: relative(process.cwd(), module.moduleId),
      isFine: module.ok(),
      passed: tests.filter((test) => test.result().state === 'passed').length,
      processorMs: module.meta().processorMs,
      dearTests: tests.flatMap((test) => {
        const { processorMs } = test.meta()
        return processorMs === undefined ? [] : { name: test.fullName, processorMs }
      }),
    })
  }

  #send(progress: Progress): void {
    process.send?.(progress)
  }
}
