import { formatWait } from '#shared/retry-after.ts'
import { LimitReached } from '../../platform/errors.ts'

/** The user has imported as much today as one day allows. */
export class TooManyImportsToday extends LimitReached {
  readonly code = 'too_many_imports_today'
  readonly userMessage = `You have imported as much as one day allows. Please choose the same file again ${formatWait(this.retryAfterSeconds)}: what is here already is not imported twice.`
}
