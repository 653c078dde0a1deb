import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { useEscape } from '../../../lib/input/escape.ts'
import type { DecisionActivity } from '../../../lib/actions/running-actions.ts'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import type { ChatFailure } from '../state/chat-failure.ts'
import type { Conversation } from '../state/conversation.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { DecisionFoot, showFromHead } from './decision-foot.tsx'
import { usePressLock } from './press-lock.ts'
import { Card } from '../../../components/ui/card.tsx'

/**
 * The frame of a card that waits for a decision: title, content and buttons. The first card takes the focus, unless the user is typing, and is
 * shown from its head, unless the user has scrolled away. All its buttons are locked for a moment after they have appeared or moved
 * (`usePressLock`).
 */
export function CardFrame({
  icon: Icon,
  tone = 'accent',
  title,
  summary = title,
  description,
  error,
  isFirst,
  buttons,
  children,
}: {
  icon: LucideIcon
  tone?: 'accent' | 'warning'
  title: string
  /** what the buttons repeat while the title is out of view */
  summary?: string | undefined
  description: ReactNode
  /** why the last decision failed */
  error: CardError | undefined
  isFirst: boolean
  buttons: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const head = useRef<HTMLElement>(null)
  const footer = useRef<HTMLElement>(null)
  const isLocked = usePressLock(card, footer)
  useEffect(() => {
    const node = card.current
    if (!isFirst || !node || isTyping()) return
    node.focus({ preventScroll: true })
    // in the next frame the chat listens, and a card that was decided is a line
    const frame = requestAnimationFrame(() => {
      if (stopFollowingEnd(node) || isInView(node)) showFromHead(node)
    })
    return () => cancelAnimationFrame(frame)
  }, [isFirst])
  // Escape in a field or on a button of the card moves the focus to the card, and does not stop the reply
  useEscape(
    'card',
    () => card.current?.focus(),
    (target) => target !== card.current && target instanceof Node && card.current?.contains(target) === true,
  )
  return (
    <Card
      as="section"
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      className={clsx(
        'grid animate-fade grid-cols-1 gap-4 p-4 outline-offset-2 **:data-locked:opacity-60',
        tone === 'accent'
          ? '[--hairline:var(--color-accent-line)]'
          : '[--hairline:var(--color-warning-line)]',
      )}
    >
      <DocumentFlag name="card" />
      <header ref={head} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3">
        <Icon
          aria-hidden
          size={20}
          strokeWidth={1.75}
          className={clsx('mt-0.5', tone === 'accent' ? 'text-accent' : 'text-warning')}
        />
        <div>
          <h3 id={`${id}-title`} className="font-semibold wrap-anywhere">
            {title}
          </h3>
          <p id={`${id}-about`} className="text-ink-muted wrap-anywhere">
            {description}
          </p>
        </div>
      </header>
      {children}
      {error !== undefined && (
        <div className="flex flex-wrap gap-x-3 text-sm">
          <p role="alert" className="text-danger-ink">
            {error.message}
          </p>
          <CopyDetails error={error.details} />
        </div>
      )}
      <DecisionFoot
        ref={footer}
        head={head}
        summary={summary}
        isLocked={isLocked}
        labels={{ 'aria-label': t`Your decision` }}
        // all of the padding but the line around the card
        className="-mx-[calc(1rem-1px)] -mb-[calc(1rem-1px)] px-[calc(1rem-1px)] pb-[calc(1rem-1px)]"
      >
        {buttons}
      </DecisionFoot>
    </Card>
  )
}

function isInView(node: Element): boolean {
  const { top, bottom } = node.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

/** Whether a field with text in it has the focus, which it should keep. */
function isTyping(): boolean {
  const field = document.activeElement
  const isField = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  return isField && field.value !== ''
}

/** The decision that is being sent; `other` if it is that of another card. */
export type DecisionKind = DecisionActivity | 'other'
/** What the user decides in a card. */
export type CardDecision = Omit<ApprovalDecision, 'runId' | 'callId'>

/** Why a decision failed. */
type CardError = Pick<ChatFailure, 'message' | 'details'>

/** What each kind of card gets. */
export interface ApprovalCardProps {
  /** what is entered in the card is stored for this conversation */
  conversation: Conversation
  approval: ApprovalRequest
  assistantName: string
  error: CardError | undefined
  /** whether it is the first open request, which takes the focus */
  isFirst: boolean
  /** the decision that is being sent, for this card or another one */
  pendingDecision: DecisionKind | undefined
  onDecide: (decision: CardDecision) => void
}
