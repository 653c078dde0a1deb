import { maxRunTokens } from '#shared/limits.ts'
import { RunBudgetUsedUp } from '../../chat/errors.ts'
import type { Reservation } from '../../chat/reply-budget.ts'

/**
 * Limits a reservation to the tokens of one run (`maxRunTokens`). `countUsed` tells them. @param used those of earlier attempts at the run
 * @throws RunBudgetUsedUp from `reserve`, if the prompt no longer fits
 */
export function limitRun(reservation: Reservation, used = 0): Reservation & { countUsed: () => number } {
  return {
    ...reservation,
    async reserve(promptTokens, ...others) {
      if (used + promptTokens > maxRunTokens) throw new RunBudgetUsedUp()
      return reservation.reserve(promptTokens, ...others)
    },
    countUsed: () => used,
    spend(usage) {
      used += usage.inputTokens + usage.outputTokens
      reservation.spend(usage)
    },
  }
}
