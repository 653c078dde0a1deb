import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Logo } from '../../../components/ui/logo.tsx'

/** The row of a user message, aligned to the end of the line. */
export function UserMessageLayout({
  deferLayout = false,
  messageId,
  children,
}: {
  /** whether the row is laid out only when it comes near the screen */
  deferLayout?: boolean
  /** of a message that a search can lead to; a pending reply has none */
  messageId?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      data-message={messageId}
      className={clsx(
        'group/turn flex flex-col items-end gap-2 pt-8 first:pt-0 [.is-reply+&]:pt-3',
        deferLayout && 'deferred-layout',
      )}
    >
      <h2 className="sr-only">{t`You`}</h2>
      {children}
    </div>
  )
}

/** The row of a reply, with the avatar beside it, or above it on a phone. */
export function ReplyLayout({
  assistantName,
  deferLayout = false,
  isBusy = false,
  isThinking = false,
  messageId,
  children,
}: {
  assistantName: string
  /** whether the row is laid out only when it comes near the screen */
  deferLayout?: boolean
  /** whether it is still being written */
  isBusy?: boolean
  /** whether it has no text yet: the avatar moves */
  isThinking?: boolean
  /** of a message that a search can lead to; a pending reply has none */
  messageId?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      aria-busy={isBusy || undefined}
      data-message={messageId}
      className={clsx(
        'is-reply group/turn grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 pt-6 first:pt-0 [.is-reply+&]:pt-3 max-sm:grid-cols-1 max-sm:gap-y-2 max-sm:pt-3',
        deferLayout && 'deferred-layout',
      )}
    >
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6"
      >
        <Logo size={18} isThinking={isThinking} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {children}
      </div>
    </div>
  )
}
