import { AppError, LimitReached } from '../platform/errors.ts'

/** The user has too many replies in progress. */
export class TooManyReplies extends AppError {
  readonly code = 'budget'
  readonly status = 429
  readonly sentence = 'Too many replies are being written for you at once. Please wait until one has ended.'
  override readonly retryAfterSeconds = 10
}

/** The user follows too many replies, in several tabs or on several devices. */
export class TooManyEventStreams extends AppError {
  readonly code = 'too_many_streams'
  readonly status = 429
  readonly sentence = 'You are following too many replies at once. Please close a tab, or wait a moment.'
  override readonly retryAfterSeconds = 5
}

/** The request names a model that this deployment does not offer. */
export class ModelNotAvailable extends AppError {
  readonly code = 'model_not_available'
  readonly status = 400
  readonly sentence = 'This model is not available any more. Please reload the page and choose another one.'
}

/** The request names an effort that its model does not have. */
export class EffortNotAvailable extends AppError {
  readonly code = 'effort_not_available'
  readonly status = 400
  readonly sentence = 'This model does not have the chosen effort. Please choose another one.'
}

/** A budget of this day (UTC) is used up. */
export abstract class DailyBudgetUsedUp extends LimitReached {
  readonly code = 'budget'
}

/** The user's tokens of this day. */
export class TokensUsedUp extends DailyBudgetUsedUp {
  readonly sentence = "You have reached today's limit for replies. It resets at midnight (UTC)."
}

/** The user's pictures of this day. */
export class ImagesUsedUp extends DailyBudgetUsedUp {
  readonly sentence = 'The user has reached the daily limit for images. It resets at midnight (UTC). Say so.'
}

/** The tokens of this day for everybody together. */
export class SiteTokensUsedUp extends DailyBudgetUsedUp {
  readonly sentence =
    "This assistant has reached today's limit for all users. It resets at midnight (UTC), or when the people who run it raise the limit."
}
