import clsx from 'clsx'
import {
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useLayoutEffect,
  type ReactNode,
  type UIEvent,
  type RefObject,
  type Ref,
} from 'react'
import { t } from '@lingui/core/macro'
import { ArrowDown } from 'lucide-react'
import type { Attachment } from '#shared/contracts/files.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { useToolsAllowed } from '../../lib/account/account-queries.ts'
import { phoneQuery, useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { Button } from '../../components/ui/button.tsx'
import { useStore } from '../../lib/browser/create-store.ts'
import type { UploadQueue } from './attachments/upload-queue.ts'
import { EmptyConversation } from './empty-conversation.tsx'
import { QuickPrompts, startHint } from './empty-state.tsx'
import { useConversationState, type Conversation } from './state/conversation.ts'
import { temporaryChoice } from './temporary-choice.ts'
import { useStickToBottom } from './use-stick-to-bottom.ts'
import { Composer, type ComposerOptions } from './composer/composer.tsx'
import { countSentMessage, useHints } from './composer/sent-messages.ts'

/** Loaded later: an empty chat shows no messages. */
const MessageList = lazyComponent(() => import('./messages/message-list.tsx'), 'MessageList', null)
/** Loads the code of the message list. If that fails, rendering the list tries again. */
export const preloadMessageList = MessageList.preload

const ImageViewer = lazyComponent(() => import('../../components/image-viewer.tsx'), 'ImageViewer')

interface ConversationViewProps {
  conversation: Conversation
  /** whether it is being deleted or has been, and is shown as missing */
  isDeleted: boolean
  /** key of the composer's draft in the stored drafts */
  draftKey: string
  /** the files of the same draft */
  uploadQueue: UploadQueue
  connectedCount: number | undefined
  /** shown below the quick prompts of a new chat */
  otherStarts: ReactNode
  /** whether the user may make a new chat temporary, and an ordinary one again */
  mayChooseTemporary: boolean
  /** sends a message that was written where a conversation is missing, whose id is not used again. @returns whether it was sent */
  onSendInNewChat: (text: string, attachments?: readonly Attachment[]) => boolean
  onNewChat: () => void
  onSignIn: () => void
}

/** One conversation: messages above, the composer at the end of the same scroller. */
export function ConversationView({
  conversation,
  isDeleted,
  draftKey,
  uploadQueue,
  connectedCount,
  otherStarts,
  mayChooseTemporary,
  onSendInNewChat,
  onNewChat,
  onSignIn,
}: ConversationViewProps) {
  const { assistantName } = useBrand()
  const toolsAllowed = useToolsAllowed()
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [image, setImage] = useState<Attachment>()
  const composerSection = useRef<HTMLElement>(null)
  useToastOffset(composerSection)
  const status = useConversationState(conversation, (state) => state.loadStatus)
  const loadStatus = isDeleted ? 'missing' : status
  const isEmpty = useConversationState(conversation, ({ messages, error }) => messages.length === 0 && !error)
  const isStart = isEmpty && loadStatus === 'loaded'
  const { isAtEnd, jumpToEnd } = useStickToBottom(scroller, content, composerSection, {
    isFollowedAtFirst: !isStart,
  })
  const { submit, resend } = useSending({ conversation, isDeleted, onSendInNewChat, jumpToEnd })
  useTemporaryChoice(conversation, isStart && mayChooseTemporary)
  const isPhone = useMediaQuery(phoneQuery)
  const hasHints = useHints()
  const quickPrompts = isStart && (
    <>
      <QuickPrompts hasHint={hasHints} mayUseTools={toolsAllowed !== 'none'} onPrompt={submit} />
      {otherStarts}
    </>
  )

  return (
    <div className="relative h-full min-h-0 min-w-0 flex-1 print:h-auto">
      <div aria-hidden className={`absolute inset-x-0 top-0 z-2 h-px ${isScrolled ? 'bg-line' : ''}`} />
      <main
        ref={scroller}
        onScroll={(event: UIEvent<HTMLElement>) => setScrolled(event.currentTarget.scrollTop > 0)}
        className={clsx(
          'flex h-full min-h-0 flex-col overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges] print:block print:h-auto print:overflow-visible',
          // greeting, composer and prompts are one block in the middle
          isStart && 'sm:justify-center-safe',
        )}
      >
        <div
          ref={content}
          className={clsx(
            'mx-auto flex w-full max-w-[calc(var(--width-chat)+3rem)] shrink-0 flex-col p-6 print:block print:max-w-none print:p-0 max-sm:px-4 max-sm:pt-4',
            isStart ? 'max-sm:grow' : 'grow',
          )}
        >
          {isEmpty || loadStatus === 'missing' ? (
            <EmptyConversation
              loadStatus={loadStatus}
              assistantName={assistantName}
              connectedCount={connectedCount}
              onRetry={conversation.refresh}
              onNewChat={onNewChat}
            >
              {isPhone && quickPrompts}
            </EmptyConversation>
          ) : (
            <MessageList
              conversation={conversation}
              assistantName={assistantName}
              scroller={scroller}
              draftKey={draftKey}
              onResend={resend}
              onOpenImage={setImage}
              onSend={submit}
              onSignIn={onSignIn}
            />
          )}
        </div>
        <ComposerSection
          ref={composerSection}
          conversation={conversation}
          draftKey={draftKey}
          uploadQueue={uploadQueue}
          isStart={isStart}
          onJumpToEnd={isAtEnd || isEmpty ? undefined : jumpToEnd}
          onSend={submit}
        />
        {!isPhone && quickPrompts && (
          <div className="mx-auto w-full max-w-[calc(var(--width-chat)+3rem)] px-6 pt-1 pb-6">
            {quickPrompts}
          </div>
        )}
      </main>
      {image && (
        <Suspense>
          <ImageViewer image={image} onClose={() => setImage(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** Sends messages, and then shows them at the end. A message that is queued is shown beside the composer, so the reader stays where they are. */
function useSending({
  conversation,
  isDeleted,
  onSendInNewChat,
  jumpToEnd,
}: Pick<ConversationViewProps, 'conversation' | 'isDeleted' | 'onSendInNewChat'> & {
  jumpToEnd: () => void
}) {
  const submit = useCallback(
    (text: string, attachments?: readonly Attachment[]) => {
      const { isReplying: isQueued, loadStatus } = conversation.getState()
      const isMissing = isDeleted || loadStatus === 'missing'
      const isAccepted = isMissing
        ? onSendInNewChat(text, attachments)
        : conversation.submit(text, attachments)
      if (isAccepted) countSentMessage()
      if (isAccepted && !isQueued) jumpToEnd()
      return isAccepted
    },
    [conversation, isDeleted, onSendInNewChat, jumpToEnd],
  )
  const resend = useCallback(
    (...message: Parameters<Conversation['resend']>) => {
      const isSent = conversation.resend(...message)
      if (isSent) jumpToEnd()
      return isSent
    },
    [conversation, jumpToEnd],
  )
  return { submit, resend }
}

/** Offers the choice whether a new chat is temporary. */
function useTemporaryChoice(conversation: Conversation, isOffered: boolean): void {
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  useEffect(() => {
    if (!isOffered) return
    temporaryChoice.setState({ isTemporary, choose: conversation.chooseTemporary })
    return () => temporaryChoice.setState(null)
  }, [conversation, isOffered, isTemporary])
}

const heightProperty = '--composer-height'

/** Publishes the height of the composer as a CSS property, by which app.css positions toasts above it. Removed on unmount. */
function useToastOffset(composer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const node = composer.current
    if (!node) return
    const root = document.documentElement.style
    const observer = new ResizeObserver(() => root.setProperty(heightProperty, `${node.offsetHeight}px`))
    observer.observe(node)
    return () => {
      observer.disconnect()
      root.removeProperty(heightProperty)
    }
  }, [composer])
}

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
function ComposerSection({ ref, isStart, onJumpToEnd, ...options }: ComposerSectionProps) {
  const { conversation, draftKey, uploadQueue } = options
  const { assistantName } = useBrand()
  const hasHints = useHints()
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
        'pointer-events-none z-1 -mt-6 shrink-0 px-6 pt-6 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:px-3 short:pb-1.5 print:hidden',
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
        <Composer
          {...options}
          assistantName={assistantName}
          description={isStart && !hasHints ? startHint : undefined}
          onEditLast={editLast}
        />
      </div>
    </section>
  )
}
