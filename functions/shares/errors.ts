import { shareSentences } from '#shared/sentences/shares.ts'
import { maxCopiedMegabytes, maxCopiedMessages, maxShares } from '../platform/limits.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const {
  ShareNotFound,
  SignInRequired,
  SharingOff,
  ReplyUnfinished,
  NothingToShare,
  TooLongToShare,
  TooManyShares,
} = defineErrors(shareSentences, {
  /** Unknown, revoked or expired: the response does not say which. */
  ShareNotFound: [404, 'share_not_found'],
  /** A visitor has a link that only people who are signed in may open. */
  SignInRequired: [401, 'sign_in_required'],
  SharingOff: [403, 'sharing_off'],
  /** A snapshot would show half a reply, or messages that the reply is about to replace. */
  ReplyUnfinished: [409, 'reply_unfinished'],
  NothingToShare: [409, 'nothing_to_share'],
  /** More messages than one request can copy. */
  TooLongToShare: [
    409,
    'session_too_long.share',
    { params: { messages: maxCopiedMessages, megabytes: maxCopiedMegabytes } },
  ],
  /** The user has as many links as one user may have. */
  TooManyShares: [409, 'too_many_shares', { params: { max: maxShares } }],
})

export const { TooManySharesToday, LinkTooBusy, OwnerTooBusy } = defineLimits(shareSentences, {
  TooManySharesToday: 'too_many_shares_today',
  /** A link is opened too often. */
  LinkTooBusy: 'too_many_requests.link',
  /** All links of one person together are opened too often. */
  OwnerTooBusy: 'too_many_requests.owner',
})
