import type { Reporter } from 'vitest/node'

/** The progress of a vitest run, sent to the process that started it. */
export interface Progress {
  readonly files: number
  readonly endedFiles: number
  readonly failedFiles: number
}

/** Vitest's reporter for `test/run.ts`. */
export default class ProgressReporter implements Reporter {
  #files = 0
  #endedFiles = 0
  #failedFiles = 0

  onTestRunStart(files: readonly unknown[]): void {
    this.#files = files.length
    this.#send()
  }

  onTestModuleEnd(file: { ok(): boolean }): void {
    this.#endedFiles += 1
    if (!file.ok()) this.#failedFiles += 1
    this.#send()
  }

  #send(): void {
    const progress: Progress = {
      files: this.#files,
      endedFiles: this.#endedFiles,
      failedFiles: this.#failedFiles,
    }
    process.send?.(progress)
  }
}
