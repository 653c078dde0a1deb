import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Greeting } from './empty-state.tsx'
import { ReplyLayout, UserMessageLayout } from './messages/message-layout.tsx'
import type { LoadStatus } from './state/conversation-state.ts'

/** What is shown in place of messages: the greeting of a new chat, or why there are none. */
export function EmptyConversation({
  loadStatus,
  assistantName,
  connectedCount,
  onRetry,
  onNewChat,
  children,
}: {
  loadStatus: LoadStatus
  assistantName: string
  connectedCount: number | undefined
  onRetry: () => void
  onNewChat: () => void
  /** below the greeting */
  children: ReactNode
}) {
  switch (loadStatus) {
    case 'loaded':
      return (
        <>
          <Greeting assistantName={assistantName} connectedCount={connectedCount} />
          {children}
        </>
      )
    case 'missing':
      return (
        <ConversationNotice
          text={t`This conversation no longer exists.`}
          action={t`Start Fresh Chat`}
          onAction={onNewChat}
        />
      )
    case 'failed':
      return (
        <ConversationNotice
          text={t`This conversation could not be loaded.`}
          action={t`Try again`}
          onAction={onRetry}
        />
      )
    case 'loading':
      return <ConversationSkeleton assistantName={assistantName} />
  }
}

/** A sentence in place of the messages, with the button that helps. */
function ConversationNotice({
  text,
  action,
  onAction,
}: {
  text: string
  action: string
  onAction: () => void
}) {
  return (
    <div className="flex flex-1 flex-col items-start justify-center gap-4">
      <h1 className="text-base font-normal text-ink-muted">{text}</h1>
      <Button onClick={onAction}>{action}</Button>
    </div>
  )
}

/** The placeholder of a conversation that is loading. */
function ConversationSkeleton({ assistantName }: { assistantName: string }) {
  return (
    <div role="group" aria-busy aria-label={t`Loading the conversation`}>
      <h1 className="sr-only">{t`Conversation`}</h1>
      <UserMessageLayout>
        <Skeleton className="h-12 w-72 rounded-lg" />
      </UserMessageLayout>
      <ReplyLayout assistantName={assistantName}>
        <Skeleton className="my-1.5 h-3.5 w-full max-w-(--width-reading)" />
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="my-1.5 h-3.5 w-2/5" />
      </ReplyLayout>
    </div>
  )
}
