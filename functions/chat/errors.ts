import { chatSentences, sayChat } from '#shared/sentences/chat.ts'
import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

export const { TooManyReplies, TooManyEventStreams, ModelNotAvailable, EffortNotAvailable } = defineErrors(
  chatSentences,
  {
    /** The user has too many replies in progress. */
    TooManyReplies: [429, 'budget.replies', { retryAfterSeconds: 10 }],
    /** The user follows too many replies, in several tabs or on several devices. */
    TooManyEventStreams: [429, 'too_many_streams', { retryAfterSeconds: 5 }],
    /** The request names a model that this deployment does not offer. */
    ModelNotAvailable: [400, 'model_not_available'],
    /** The request names an effort that its model does not have. */
    EffortNotAvailable: [400, 'effort_not_available'],
  },
)

/** The groups of the user do not allow the model that the request names. */
export class ModelNotAllowed extends AppError {
  readonly status = 403

  /** @param other names of models that the user may choose */
  constructor(name: string, other: readonly string[]) {
    const others = other.slice(0, 3).join(', ')
    super(
      other.length === 0
        ? sayChat('model_not_allowed.none')
        : sayChat(other.length > 3 ? 'model_not_allowed.more' : 'model_not_allowed.others', { name, others }),
      'the groups of the user do not allow the model',
    )
  }
}

/** A budget of this day or month (UTC) is used up. */
export abstract class BudgetUsedUp extends LimitReached {}

/** What a user, or everyone in a group, may spend in a day or a month (UTC). */
export interface SpendingLimit {
  readonly period: 'day' | 'month'
  readonly unit: 'tokens' | 'nano_usd'
  readonly amount: number
}

/** The first day of the next month, in UTC. */
function getMonthEnd(): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
}

function describeLimit({ period, unit, amount }: SpendingLimit) {
  if (amount === 0) return sayChat('budget.none')
  const [limit, kind] = unit === 'tokens' ? [amount, 'tokens' as const] : [amount / 1e9, 'money' as const]
  return period === 'day'
    ? sayChat(`budget.day_${kind}`, { limit })
    : sayChat(`budget.month_${kind}`, { limit, date: getMonthEnd() })
}

/** The user's tokens or money of this day or month. */
export class UserBudgetUsedUp extends BudgetUsedUp {
  constructor(limit: SpendingLimit, retryAfterSeconds: number) {
    const detail = `the user's ${limit.unit} of the ${limit.period} are used up`
    super(describeLimit(limit), detail, retryAfterSeconds)
  }
}

/** The tokens of one run of a schedule. */
export class RunBudgetUsedUp extends BudgetUsedUp {
  constructor() {
    super(sayChat('budget.schedule'), 'the tokens of the run are used up', 3_600)
  }
}

/** The user's images of this day. The message is for the model, which reads it as the result of its call. */
export class ImagesUsedUp extends BudgetUsedUp {
  constructor(detail: string, retryAfterSeconds: number) {
    super(sayChat('budget.images'), detail, retryAfterSeconds)
  }
}

/** The tokens or the money of this day for everybody together. */
export class SiteBudgetUsedUp extends BudgetUsedUp {
  constructor(detail: string, retryAfterSeconds: number) {
    super(sayChat('budget.everybody'), detail, retryAfterSeconds)
  }
}

/** An administrator has stopped all replies. Those that are being written end with their current request. */
export class RepliesStopped extends BudgetUsedUp {
  override readonly status = 503
  override get isFault() {
    return false
  }

  constructor() {
    super(sayChat('replies_stopped'), 'an administrator has stopped all replies', 60)
  }
}
