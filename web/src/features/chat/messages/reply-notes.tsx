import { t } from '@lingui/core/macro'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReplyNotice } from '#shared/contracts/chat.ts'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { describeEnding } from '../describe-ending.ts'
import { isUnsaved } from '../state/chat-message.ts'
import { MessageNote } from './message-note.tsx'
import type { FinishedReplyProps } from './finished-reply.tsx'

/** Says below a reply that it is not saved or did not end normally, with the button that helps. */
export function ReplyEnding({
  message,
  onRetry,
  failureReason,
  failureDetails,
  isEndingTold = false,
  onContinue,
}: Pick<
  FinishedReplyProps,
  'message' | 'onRetry' | 'failureReason' | 'failureDetails' | 'isEndingTold' | 'onContinue'
>): ReactNode {
  if (isEndingTold && !onContinue) return null
  const retry = { action: t`Retry`, onAction: onRetry, details: failureDetails }
  if (isUnsaved(message)) return <MessageNote text={t`Not saved.`} reason={failureReason} {...retry} />
  const { ended, incomplete_reason } = message
  if (!ended) return null
  const text = failureReason ?? describeEnding({ ended, incomplete_reason })
  if (!onContinue) return <MessageNote text={text} {...retry} />
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-muted">
      {!isEndingTold && <p className="max-w-(--width-note)">{text}</p>}
      <Button variant="soft" size="sm" onClick={onContinue} className="w-fit print:hidden">
        {t`Continue`}
      </Button>
      {failureDetails && <CopyDetails error={failureDetails} />}
    </div>
  )
}

/** Says above a reply how it differs from what was requested, such as that a tool was left out. */
export function ReplyNotices({ notices }: { notices: readonly ReplyNotice[] }) {
  // `ReplyEnding` tells at the end of the reply that a filter withheld text
  const visibleNotices = notices.filter(({ code }) => code !== 'reply_filtered')
  return visibleNotices.map((notice) => (
    <p
      key={notice.code}
      role="note"
      className="flex gap-2 rounded-sm bg-surface-hover px-3 py-2.5 text-sm text-ink-muted"
    >
      <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      {revealHiddenCharacters(translateSentence(notice))}
    </p>
  ))
}
