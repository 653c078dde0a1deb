import { maxCopiedMegabytes, maxCopiedMessages, maxShares } from '../platform/limits.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const { ShareNotFound, SharingOff, ReplyUnfinished, NothingToShare, TooLongToShare, TooManyShares } =
  defineErrors({
    /** Unknown, revoked or expired: the response does not say which. */
    ShareNotFound: [
      404,
      'share_not_found',
      'There is no shared conversation at this link. It was revoked, it has expired, or it is not complete.',
    ],
    SharingOff: [403, 'sharing_off', 'Sharing is switched off here.'],
    /** A snapshot would show half a reply, or messages that the reply is about to replace. */
    ReplyUnfinished: [
      409,
      'reply_unfinished',
      'A reply in this conversation is not finished yet. Please share it once it is.',
    ],
    NothingToShare: [409, 'nothing_to_share', 'There are no messages in this conversation to share.'],
    /** More messages than one request can copy. */
    TooLongToShare: [
      409,
      'session_too_long',
      `A conversation of more than ${maxCopiedMessages.toLocaleString('en')} messages, or of more than ${maxCopiedMegabytes} MB, cannot be shared.`,
    ],
    /** The user has as many links as one user may have. */
    TooManyShares: [
      409,
      'too_many_shares',
      `You have ${maxShares} links, and there can be no more. Please revoke one in Settings first.`,
    ],
  })

export const { TooManySharesToday, LinkTooBusy, OwnerTooBusy } = defineLimits({
  TooManySharesToday: [
    'too_many_shares_today',
    'You have made as many links as one day allows. Please try again tomorrow.',
  ],
  /** A link is opened too often. */
  LinkTooBusy: [
    'too_many_requests',
    'Many people are opening this link right now. Please try again in a minute.',
  ],
  /** All links of one person together are opened too often. */
  OwnerTooBusy: [
    'too_many_requests',
    'The links of this person are being opened very often right now. Please try again in a minute.',
  ],
})
