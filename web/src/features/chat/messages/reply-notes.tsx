import { t } from '@lingui/core/macro'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReplyNotice } from '#shared/contracts/chat.ts'
import { Button } from '../../../components/ui/button.tsx'
import { translateSentence } from '../../../lib/translate.ts'
import { describeEnding } from '../describe-ending.ts'
import { isUnsaved } from '../state/chat-message.ts'
import { Note } from './message-note.tsx'
import type { MessageRowProps } from './message-row.tsx'

/** The note below a reply that is not saved or did not end normally, with the button that helps. */
export function ReplyEnding({
  message,
  onRetry,
  failureReason,
  isEndingTold = false,
  onContinue,
}: Pick<
  MessageRowProps,
  'message' | 'onRetry' | 'failureReason' | 'isEndingTold' | 'onContinue'
>): ReactNode {
  if (isEndingTold && !onContinue) return null
  const retry = { action: t`Retry`, onAction: onRetry }
  if (isUnsaved(message)) return <Note text={t`Not saved.`} reason={failureReason} {...retry} />
  const { ended, incomplete_reason } = message
  if (!ended) return null
  const text = failureReason ?? describeEnding({ ended, incomplete_reason })
  if (!onContinue) return <Note text={text} {...retry} />
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-muted">
      {!isEndingTold && <p className="max-w-(--width-note)">{text}</p>}
      <Button variant="soft" size="sm" onClick={onContinue} className="w-fit print:hidden">
        {t`Continue`}
      </Button>
    </div>
  )
}

/** How a reply differs from the request, above its text. */
export function ReplyNotices({ notices }: { notices: readonly ReplyNotice[] }) {
  // a filter is told at the end of the reply
  const visibleNotices = notices.filter(({ code }) => code !== 'reply_filtered')
  return visibleNotices.map((notice) => (
    <p
      key={notice.code}
      role="note"
      className="flex gap-2 rounded-sm bg-surface-hover px-3 py-2.5 text-sm text-ink-muted"
    >
      <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      {translateSentence(notice)}
    </p>
  ))
}
