import { Link } from 'react-router'

// share-dialog
export const sevenDays = '7 days'
export const thirtyDays = '30 days'
export const oneYear = '1 year'
export const created = 'Link created'
export const title = 'Share by link'
export const create = 'Create link'
export const explanation =
  'Anybody who has the link can read a copy of this conversation as it is now, without an account. Later messages are not added to it.'
export const inCopy = 'In the copy'
export const inCopyHint =
  'The title, and the text of all messages: yours and the replies, with whatever they quote from your files, mails and tools.'
export const notInCopy = 'Not in the copy'
export const notInCopyHint =
  'Your name, times of messages, files and images, and which tools were used with what result.'
export const worksFor = 'The link works for'
export const revokeHint =
  'You can revoke it in Settings. Deleting the conversation or your account revokes it, too.'
export const copied = 'Link copied'
export const link = 'Link'
export const copyLink = 'Copy link'
export const worksUntil = (day: string) => (
  <>
    It works until {day}.{' '}
    <Link to="/settings" className="link">
      Settings
    </Link>{' '}
    lists your links and can revoke them.
  </>
)
