import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowDown } from 'lucide-react'
import { useCallback, type Ref } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useBrand } from '../../lib/config.ts'
import { useStore } from '../../lib/create-store.ts'
import { Composer, type ComposerOptions } from './composer/composer.tsx'
import { ComposerChoices } from './composer/composer-choices.tsx'
import { useConversationState } from './state/conversation.ts'

const TemporaryChatNote = lazyComponent(() => import('./temporary-chat-note.tsx'), 'TemporaryChatNote', null)

const QueuedMessages = lazyComponent(() => import('./composer/queued-messages.tsx'), 'QueuedMessages', null)

interface ComposerSectionProps extends Omit<ComposerOptions, 'onEditLast'> {
  ref: Ref<HTMLElement>
  /** whether the chat has not begun: the composer then is below the greeting, and else at the end of the window */
  isStart: boolean
  /** scrolls to the newest message; undefined while that is in view or followed */
  onJumpToEnd: (() => void) | undefined
}

/** The composer of a conversation, with what stands above it. */
export function ComposerSection({ ref, isStart, onJumpToEnd, ...options }: ComposerSectionProps) {
  const { conversation, draftKey, uploadQueue } = options
  const { assistantName } = useBrand()
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const hasQueuedMessages = useStore(conversation.messageQueue.messages).length > 0
  const editLast = useCallback(() => {
    import('./messages/edit-message.ts').then(
      ({ editLastMessage }) => editLastMessage(conversation.getState(), draftKey),
      // without the code the key does nothing, as in a conversation without messages
      () => undefined,
    )
  }, [conversation, draftKey])
  return (
    <section
      ref={ref}
      aria-label={t`Your message`}
      className={clsx(
        'pointer-events-none z-1 -mt-6 shrink-0 px-6 pt-6 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:px-3 print:hidden',
        isStart
          ? 'static'
          : 'sticky bottom-0 bg-linear-to-b from-transparent to-surface to-[1.5rem] [@media(max-height:25rem)]:static',
      )}
    >
      <div className="pointer-events-auto relative mx-auto max-w-(--width-chat)">
        {onJumpToEnd && (
          <Button
            variant="floating"
            size="pill"
            onClick={onJumpToEnd}
            className="absolute bottom-[calc(100%+0.75rem)] [@media(max-height:25rem)]:fixed [@media(max-height:25rem)]:bottom-3 left-1/2 z-2 -translate-x-1/2 animate-fade"
          >
            <ArrowDown aria-hidden size={16} />
            {t`Jump to latest`}
          </Button>
        )}
        {isTemporary && <TemporaryChatNote />}
        {hasQueuedMessages && <QueuedMessages conversation={conversation} uploadQueue={uploadQueue} />}
        <div className="flex flex-wrap items-start gap-x-1 *:max-w-full *:min-w-0">
          <ComposerChoices conversation={conversation} uploadQueue={uploadQueue} />
        </div>
        <Composer {...options} assistantName={assistantName} onEditLast={editLast} />
      </div>
    </section>
  )
}
