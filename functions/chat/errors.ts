import { AppError, LimitReached } from '../platform/errors.ts'

/** More replies are being written for the user than one person reads. */
export class TooManyReplies extends AppError {
  readonly code = 'too_many_replies'
  readonly status = 429
  readonly sentence = 'Too many replies are being written for you at once. Please wait until one has ended.'
  override readonly retryAfterSeconds = 10
}

/** The user's tokens of this day (UTC) are used up. */
export class TokensUsedUp extends LimitReached {
  readonly code = 'tokens_used_up'
  readonly sentence =
    'You have used up what the assistant may write for you in a day. It begins anew at midnight (UTC).'
}
