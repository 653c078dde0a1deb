import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'

// share-dialog
export const sevenDays = t`7 days`
export const thirtyDays = t`30 days`
export const oneYear = t`1 year`
export const created = t`Link created`
export const title = t`Share by link`
export const create = t`Create link`
export const explanation = t`Anybody who has the link can read a copy of this conversation as it is now, without an account. Later messages are not added to it.`
export const inCopy = t`In the copy`
export const inCopyHint = t`The title, and the text of all messages: yours and the replies, with whatever they quote from your files, mails and tools, and up to 50 rows of the tables below replies.`
export const notInCopy = t`Not in the copy`
export const notInCopyHint = t`Your name, times of messages, files and images, and which tools were used with what other result.`
export const worksFor = t`The link works for`
export const revokeHint = t`You can revoke it in Settings. Deleting the conversation or your account revokes it, too.`
export const copied = t`Link copied`
export const link = t`Link`
export const copyLink = t`Copy link`
export const worksUntil = (day: string) => (
  <Trans>
    It works until {day}.{' '}
    <Link to="/settings" className="link">
      Settings
    </Link>{' '}
    lists your links and can revoke them.
  </Trans>
)
