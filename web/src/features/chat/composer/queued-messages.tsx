import { plural, t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import { isReplyWaiting, isWaitingForUser } from '../state/conversation-state.ts'
import { findComposer, insertIntoComposer } from '../../../lib/input/composer-text.ts'
import { isReplyComplete, maxQueuedMessages, type QueuedMessage } from '../state/message-queue.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { Card } from '../../../components/ui/card.tsx'
import { shorten } from '../../../lib/text/shorten.ts'

interface QueuedMessagesProps {
  conversation: Conversation
  /** the files of the composer */
  uploadQueue: UploadQueue
}

/** The queued messages, above the composer: each can be edited in the composer or removed, and the first one can be sent now. */
export function QueuedMessages({ conversation, uploadQueue }: QueuedMessagesProps) {
  const { messageQueue: queue } = conversation
  const messages = useStore(queue.messages)
  const isReplying = useConversationState(conversation, (state) => state.isReplying)
  const isFinished = useConversationState(conversation, isReplyComplete)
  const isWaiting = useConversationState(conversation, isReplyWaiting)
  const waitsForUser = useConversationState(conversation, isWaitingForUser)
  const isStopping = useConversationState(conversation, ({ pending }) => pending.phase === 'stopping')
  useAnnouncedCount(messages.length)

  const edit = (message: QueuedMessage) => {
    if (!uploadQueue.addSaved(message.attachments))
      return void showToast(
        'warning',
        t`With the files attached below, this message would have too many files.`,
      )
    queue.remove(message.id)
    const node = findComposer()
    // what is already in the composer follows the message
    if (node) insertIntoComposer(node, message.text + (node.value === '' ? '' : '\n\n'), 0, 0)
  }
  const remove = (message: QueuedMessage) => {
    queue.remove(message.id)
    findComposer()?.focus({ preventScroll: true })
  }
  const sendNow = () => {
    findComposer()?.focus({ preventScroll: true })
    void queue.sendNow()
  }

  const canSendNow = isWaiting || !isReplying
  return (
    <Card as="section" aria-label={t`Queued messages`} className="mb-2 overflow-hidden">
      <div className="flex min-h-11 items-center justify-between gap-3 py-1 pe-1.5 ps-3">
        <p className="text-sm text-ink-muted">{explainWait({ waitsForUser, isReplying, isFinished })}</p>
        {canSendNow && (
          <Button size="sm" onClick={sendNow} busy={isStopping}>
            {t`Send now`}
          </Button>
        )}
      </div>
      <ol className="max-h-44 overflow-y-auto overscroll-contain scroll-quiet border-t border-line">
        {messages.map((message) => (
          <li key={message.id} className="flex items-center gap-1 py-0.5 pe-1.5 ps-3">
            <div className="min-w-0 flex-1 py-1">
              {message.text !== '' && (
                <p className="line-clamp-2 break-words whitespace-pre-line" dir="auto">
                  {message.text}
                </p>
              )}
              <FileNames message={message} />
            </div>
            <Button
              size="sm"
              variant="ghost"
              aria-label={t`Edit ${describeMessage(message)}`}
              onClick={() => edit(message)}
            >
              {t`Edit`}
            </Button>
            <IconButton
              size="sm"
              label={t`Remove ${describeMessage(message)}`}
              icon={<X size={16} />}
              onClick={() => remove(message)}
            />
          </li>
        ))}
      </ol>
      {messages.length >= maxQueuedMessages && (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-muted">
          {plural(
            { count: maxQueuedMessages },
            {
              one: '# message is queued. Send or remove it to add another.',
              other: '# messages are queued. Send or remove one to add another.',
            },
          )}
        </p>
      )}
    </Card>
  )
}

function FileNames({ message: { attachments } }: { message: QueuedMessage }) {
  if (attachments.length === 0) return null
  return <p className="truncate text-xs text-ink-muted">{formatList(attachments.map(({ name }) => name))}</p>
}

/** Announces how many messages are queued to screen readers, when they are first shown and when there are more. */
function useAnnouncedCount(count: number): void {
  const last = useRef(0)
  useEffect(() => {
    if (count > last.current) announce(plural(count, { one: '# message queued', other: `# messages queued` }))
    last.current = count
  }, [count])
}

/** Says what keeps the queued messages from being sent. After a finished reply, the page was closed or the conversation being deleted then. */
function explainWait({
  waitsForUser,
  isReplying,
  isFinished,
}: {
  waitsForUser: boolean
  isReplying: boolean
  isFinished: boolean
}): string {
  if (waitsForUser) return t`Not sent: the reply is waiting for your answer. Sending now stops the reply.`
  if (isReplying) return t`Sent when the reply is finished`
  if (isFinished) return t`Not sent when the reply finished.`
  return t`Not sent: the previous reply did not finish.`
}

/** Enough of a text to tell messages apart. */
const describedCharacters = 40

/** Names a message in the labels of its buttons. */
const describeMessage = ({ text, attachments }: QueuedMessage) =>
  shorten(text || (attachments[0]?.name ?? ''), describedCharacters)
