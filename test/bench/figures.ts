/** One line of the table: what was measured, the result, the budget. */
export interface Figure {
  what: string
  measured: string
  budget?: string
  /** whether the budget is met; undefined without one */
  met?: boolean
}

export interface BenchOptions {
  /** a folder for CPU profiles of the handlers' process */
  profileTo: string | undefined
}

/** One bench: its name on the command line, its title, and its measurement. */
export interface Bench {
  readonly name: string
  readonly title: string
  run(options: BenchOptions): Promise<Figure[]>
}

/** @param share 0.5 for the median, 0.95 for p95 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
export const p95 = (values: readonly number[]) => percentile(values, 0.95)

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
