import { RunBudgetUsedUp } from '../../chat/errors.ts'
import type { Reservation } from '../../chat/reply-budget.ts'

/** What one run may use of the day's tokens: a schedule that goes wrong uses up nobody's day. */
export const maxRunTokens = 50_000

/** A reservation within which a run may use so many tokens. A request may begin while its prompt fits. */
export function limitRun(reservation: Reservation): Reservation {
  let used = 0
  return {
    ...reservation,
    async reserve(promptTokens, ...others) {
      if (used + promptTokens > maxRunTokens) throw new RunBudgetUsedUp()
      return reservation.reserve(promptTokens, ...others)
    },
    spend(usage) {
      used += usage.inputTokens + usage.outputTokens
      reservation.spend(usage)
    },
  }
}
