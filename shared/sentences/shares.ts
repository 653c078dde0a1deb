/** Errors of shared conversations. */
export const shareSentences = {
  share_not_found:
    'There is no shared conversation at this link. It may have been revoked or deleted, have expired, or not be complete.',
  sign_in_required:
    'This conversation is shared with people who have an account here. Please sign in to read it.',
  sharing_off: 'Sharing is switched off here.',
  reply_unfinished: 'A reply in this conversation is not finished yet. Please share it once it is.',
  nothing_to_share: 'There are no messages in this conversation to share.',
  'session_too_long.share':
    'A conversation of more than {messages, number} messages, or of more than {megabytes} MB, cannot be shared.',
  too_many_shares: 'You have {max} links, and there can be no more. Please revoke one in Settings first.',
  too_many_shares_today: 'You have made as many links as one day allows. Please try again tomorrow.',
  'too_many_requests.link': 'Many people are opening this link right now. Please try again in a minute.',
  'too_many_requests.owner':
    'The links of this person are being opened very often right now. Please try again in a minute.',
} as const
