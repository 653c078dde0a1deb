import { maxShares } from '../platform/limits.ts'
import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

export const { ShareNotFound, SharingOff, ReplyUnfinished, NothingToShare } = defineErrors({
  /** Unknown, revoked or expired: the response does not say which. */
  ShareNotFound: [
    404,
    'share_not_found',
    'There is no shared conversation at this link. It was revoked, it has expired, or it is not complete.',
  ],
  /** The operator has switched sharing off. */
  SharingOff: [403, 'sharing_off', 'Sharing is switched off here.'],
  /** A snapshot would show half a reply, or messages that the reply is about to replace. */
  ReplyUnfinished: [
    409,
    'reply_unfinished',
    'A reply in this conversation is not finished yet. Please share it once it is.',
  ],
  /** The conversation has no messages with content. */
  NothingToShare: [409, 'nothing_to_share', 'There are no messages in this conversation to share.'],
})

/** The user has as many links as one user may have. */
export class TooManyShares extends AppError {
  readonly code = 'too_many_shares'
  readonly status = 409
  readonly userMessage = `You have ${maxShares} links, and there can be no more. Please revoke one in Settings first.`
}

/** The user has created as many links today as one day allows. */
export class TooManySharesToday extends LimitReached {
  readonly code = 'too_many_shares_today'
  readonly userMessage = 'You have made as many links as one day allows. Please try again tomorrow.'
}

/** A link is opened too often. */
export class LinkTooBusy extends LimitReached {
  readonly code = 'too_many_requests'
  readonly userMessage = 'Many people are opening this link right now. Please try again in a minute.'
}
