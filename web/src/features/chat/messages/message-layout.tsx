import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Mark } from '../../../components/ui/logo.tsx'

/** Far from the end a message is laid out only when it comes near the screen. */
const farAway =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_9rem] print:[content-visibility:visible]'

/** A message of the user's: at the right. */
export function UserTurn({
  far = false,
  messageId,
  children,
}: {
  far?: boolean
  messageId?: string
  children: ReactNode
}) {
  return (
    <div
      data-message={messageId}
      className={clsx(
        'group/turn flex flex-col items-end gap-2 pt-8 first:pt-0 [.is-reply+&]:pt-3',
        far && farAway,
      )}
    >
      <h2 className="sr-only">You</h2>
      {children}
    </div>
  )
}

/** What the assistant says: text on the page, its avatar beside it, above it on a phone. */
export function ReplyTurn({
  assistantName,
  far = false,
  busy = false,
  thinking = false,
  messageId,
  children,
}: {
  assistantName: string
  far?: boolean
  busy?: boolean
  /** nothing is written yet */
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
        far && farAway,
      )}
    >
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6"
      >
        <Mark size={18} thinking={thinking} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {children}
      </div>
    </div>
  )
}
