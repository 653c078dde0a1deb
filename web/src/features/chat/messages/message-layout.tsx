import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Logo } from '../../../components/ui/logo.tsx'

/** Messages are laid out only when they come near the screen. */
const deferredLayoutClass =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_9rem] print:[content-visibility:visible]'

/** A user message: right-aligned. */
export function UserMessageLayout({
  deferLayout = false,
  messageId,
  children,
}: {
  deferLayout?: boolean
  messageId?: string
  children: ReactNode
}) {
  return (
    <div
      data-message={messageId}
      className={clsx(
        'group/turn flex flex-col items-end gap-2 pt-8 first:pt-0 [.is-reply+&]:pt-3',
        deferLayout && deferredLayoutClass,
      )}
    >
      <h2 className="sr-only">{t`You`}</h2>
      {children}
    </div>
  )
}

/** A reply: the avatar is beside it, on a phone above it. */
export function ReplyLayout({
  assistantName,
  deferLayout = false,
  busy = false,
  thinking = false,
  messageId,
  children,
}: {
  assistantName: string
  deferLayout?: boolean
  busy?: boolean
  /** there is no text yet */
  thinking?: boolean
  messageId?: string
  children: ReactNode
}) {
  return (
    <div
      aria-busy={busy || undefined}
      data-message={messageId}
      className={clsx(
        'is-reply group/turn grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 pt-6 first:pt-0 [.is-reply+&]:pt-3 max-sm:grid-cols-1 max-sm:gap-y-2 max-sm:pt-3',
        deferLayout && deferredLayoutClass,
      )}
    >
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6"
      >
        <Logo size={18} isThinking={thinking} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {children}
      </div>
    </div>
  )
}
