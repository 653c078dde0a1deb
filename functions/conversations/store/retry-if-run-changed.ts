import { RunChanged } from './errors.ts'

/** Attempts when requests collide. */
const maxAttempts = 3

/** Repeats what reads a run and then changes it, if another request changes the run meanwhile. @throws RunChanged after three attempts */
export async function retryIfRunChanged<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RunChanged && count < maxAttempts)) throw error
    }
  }
}
