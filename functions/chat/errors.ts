import { AppError, LimitReached } from '../platform/errors.ts'

/** More replies are being written for the user than one person reads. */
export class TooManyReplies extends AppError {
  readonly code = 'budget'
  readonly status = 429
  readonly sentence = 'Too many replies are being written for you at once. Please wait until one has ended.'
  override readonly retryAfterSeconds = 10
}

/** The user reads along in more tabs, or on more devices, than one person has open. */
export class TooManyEventStreams extends AppError {
  readonly code = 'too_many_streams'
  readonly status = 429
  readonly sentence = 'You are following too many replies at once. Please close a tab, or wait a moment.'
  override readonly retryAfterSeconds = 5
}

/** A budget of this day (UTC) is used up. */
export abstract class DailyBudgetUsedUp extends LimitReached {
  readonly code = 'budget'
}

/** The user's tokens of this day. */
export class TokensUsedUp extends DailyBudgetUsedUp {
  readonly sentence =
    'You have used up what the assistant may write for you in a day. You can go on after midnight (UTC).'
}

/** The user's pictures of this day. */
export class ImagesUsedUp extends DailyBudgetUsedUp {
  readonly sentence =
    'The user has used up the pictures of this day. More can be drawn after midnight (UTC). Say so.'
}

/** The tokens of this day for everybody together. */
export class SiteTokensUsedUp extends DailyBudgetUsedUp {
  readonly sentence =
    'Everybody together has used up what this assistant may write in a day. It goes on after midnight (UTC), or when the people who run it raise the limit.'
}
