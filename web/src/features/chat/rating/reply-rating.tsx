import { t } from '@lingui/core/macro'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState, type MouseEvent } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useOnline } from '../../../lib/browser/online.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { useRating } from './use-rating.ts'

const RatingPopover = lazyComponent(
  () => import('./rating-popover.tsx'),
  'RatingPopover',
  <span className="size-7 max-sm:size-9" />,
)

const thumbs = [
  { value: 'up', label: t`Good reply`, Icon: ThumbsUp },
  { value: 'down', label: t`Bad reply`, Icon: ThumbsDown },
] as const

/** The thumbs of a reply. Renders nothing for a reply that cannot be rated: of a temporary chat or an import, or one that failed. */
export function ReplyRating({ conversation, message }: { conversation: Conversation; message: ChatMessage }) {
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const { usage, ended } = message
  const hasFailed = ended === 'failed' || ended === 'interrupted'
  return isTemporary || hasFailed || usage?.model === undefined ? null : (
    <Thumbs conversation={conversation} message={message} />
  )
}

function Thumbs({ conversation, message }: { conversation: Conversation; message: ChatMessage }) {
  const rate = useRating(conversation.id, message)
  const { rating } = rate
  const isOnline = useOnline()
  const [isOpen, setOpen] = useState(false)
  const choose = (value: 'up' | 'down', { detail }: MouseEvent) => {
    // the second half of a double click does not take the rating back
    if (detail > 1 || !isOnline) return
    const isTakenBack = rating === value
    rate.start({ rating: isTakenBack ? null : { rating: value } })
    setOpen(value === 'down' && !isTakenBack)
  }
  return (
    <>
      {thumbs.map(({ value, label, Icon }) => (
        <IconButton
          key={value}
          size="sm"
          label={label}
          {...(!isOnline && { description: t`You are offline`, 'aria-disabled': true })}
          aria-pressed={rating === value}
          icon={<Icon size={16} className={rating === value ? 'fill-current' : undefined} />}
          onClick={(event) => choose(value, event)}
        />
      ))}
      {rating && (
        <RatingPopover isOpen={isOpen} onOpenChange={setOpen} message={message} rate={rate} rating={rating} />
      )}
    </>
  )
}
