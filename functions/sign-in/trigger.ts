import { measure } from '../platform/telemetry/metrics.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { Refusal } from './refusals.ts'

/**
 * A trigger of the user pool, which counts its failures: Lambda counts a refusal as an error, too, and without this metric nobody would
 * hear of it that nobody can sign in.
 * @returns throws what `decide` throws: Cognito shows it to the user
 */
export const trigger =
  <Event extends { triggerSource: string }>(decide: (event: Event) => Promise<Event>) =>
  async (event: Event): Promise<Event> => {
    try {
      const decided = await decide(event)
      measure({ FailedTriggers: 0 })
      return decided
    } catch (error) {
      const isRefusal = error instanceof Refusal
      measure({ FailedTriggers: isRefusal ? 0 : 1 })
      if (!isRefusal) logger.error('a trigger of the user pool failed', { error })
      throw error
    }
  }
