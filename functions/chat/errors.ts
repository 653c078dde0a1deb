import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

export const { TooManyReplies, TooManyEventStreams, ModelNotAvailable, EffortNotAvailable } = defineErrors({
  /** The user has too many replies in progress. */
  TooManyReplies: [
    429,
    'budget',
    'Too many replies are being written for you at once. Please wait until one has ended.',
    10,
  ],
  /** The user follows too many replies, in several tabs or on several devices. */
  TooManyEventStreams: [
    429,
    'too_many_streams',
    'You are following too many replies at once. Please close a tab, or wait a moment.',
    5,
  ],
  /** The request names a model that this deployment does not offer. */
  ModelNotAvailable: [
    400,
    'model_not_available',
    'This model is not available any more. Please reload the page and choose another one.',
  ],
  /** The request names an effort that its model does not have. */
  EffortNotAvailable: [
    400,
    'effort_not_available',
    'This model does not have the chosen effort. Please choose another one.',
  ],
})

/** The groups of the user do not allow the model that the request names. */
export class ModelNotAllowed extends AppError {
  readonly code = 'model_not_allowed'
  readonly status = 403
  readonly userMessage: string

  /** @param other names of models that the user may choose */
  constructor(name: string, other: readonly string[]) {
    super('the groups of the user do not allow the model')
    this.userMessage =
      other.length > 0
        ? `You may not use ${name}. Please choose ${other.slice(0, 3).join(', ')}${other.length > 3 ? ' or another one' : ''}, or ask your administrator.`
        : 'You may not use any model. Please ask your administrator.'
  }
}

/** A budget of this day or month (UTC) is used up. */
export abstract class BudgetUsedUp extends LimitReached {
  readonly code = 'budget'
}

/** What a user, or everyone in a group, may spend in a day or a month (UTC). */
export interface SpendingLimit {
  readonly period: 'day' | 'month'
  readonly unit: 'tokens' | 'nano_usd'
  readonly amount: number
}

const formatLimit = ({ unit, amount }: SpendingLimit): string =>
  unit === 'tokens'
    ? `${amount.toLocaleString('en')} tokens`
    : (amount / 1e9).toLocaleString('en', { style: 'currency', currency: 'USD' })

/** The first day of the next month, in UTC. */
const formatMonthEnd = (nowMs: number): string => {
  const now = new Date(nowMs)
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
  return next.toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** The user's tokens or money of this day or month. */
export class UserBudgetUsedUp extends BudgetUsedUp {
  readonly userMessage: string

  constructor(limit: SpendingLimit, retryAfterSeconds: number) {
    super(`the user's ${limit.unit} of the ${limit.period} are used up`, retryAfterSeconds)
    const isMonth = limit.period === 'month'
    this.userMessage =
      limit.amount === 0
        ? 'Your account may not use the assistant. Please ask your administrator.'
        : `You have reached ${isMonth ? "this month's" : "today's"} limit for replies. It is ${formatLimit(limit)}, and resets ${isMonth ? `on ${formatMonthEnd(Date.now())}` : 'at midnight'} (UTC). Your administrator can raise it.`
  }
}

/** The user's images of this day. The message is for the model, which reads it as the result of its call. */
export class ImagesUsedUp extends BudgetUsedUp {
  readonly userMessage =
    'The user has reached the daily limit for images. It resets at midnight (UTC). Say so.'
}

/** The tokens of this day for everybody together. */
export class SiteTokensUsedUp extends BudgetUsedUp {
  readonly userMessage =
    "This assistant has reached today's limit for all users. It resets at midnight (UTC), or when the people who run it raise the limit."
}
