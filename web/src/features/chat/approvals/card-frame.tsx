import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { RootMark } from '../../../components/ui/document-flag.tsx'
import type { ApprovalRequest } from '#shared/contracts/sessions.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'

/** A card in the conversation that waits for the user: what it is about, and the buttons. Focus goes to it when it comes first. */
export function QuestionFrame({
  icon: Icon,
  tone = 'accent',
  title,
  about,
  problem,
  first,
  buttons,
  children,
}: {
  icon: LucideIcon
  tone?: 'accent' | 'warning'
  title: string
  about: ReactNode
  /** why the last answer was not taken */
  problem: string | undefined
  first: boolean
  buttons: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (first && !isTyping()) card.current?.focus({ preventScroll: true })
  }, [first])
  useEffect(() => {
    const node = card.current
    node?.addEventListener('keydown', stopEscape)
    return () => node?.removeEventListener('keydown', stopEscape)
  }, [])
  return (
    <section
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      className={clsx(
        'grid animate-fade grid-cols-1 gap-4 rounded-lg bg-surface-raised p-4 text-ui hairline outline-offset-2',
        tone === 'accent'
          ? '[--hairline:var(--color-accent-line)]'
          : '[--hairline:var(--color-warning-line)]',
      )}
    >
      <RootMark has="question" />
      <header className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3">
        <Icon
          aria-hidden
          size={20}
          strokeWidth={1.75}
          className={clsx('mt-0.5', tone === 'accent' ? 'text-accent' : 'text-warning')}
        />
        <div>
          <h3 id={`${id}-title`} className="font-semibold [overflow-wrap:anywhere]">
            {title}
          </h3>
          <p id={`${id}-about`} className="text-ink-muted [overflow-wrap:anywhere]">
            {about}
          </p>
        </div>
      </header>
      {children}
      <div aria-live="polite" className="empty:hidden">
        {problem !== undefined && <p className="text-sm text-danger-ink">{problem}</p>}
      </div>
      <footer className="flex flex-wrap items-center gap-2">{buttons}</footer>
    </section>
  )
}

/** Who is writing something else is told, and not interrupted. */
function isTyping(): boolean {
  const field = document.activeElement
  const isField = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  return isField && field.value !== ''
}

/** Elsewhere Escape stops the reply; somebody who corrects a field means the field. */
function stopEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.target === event.currentTarget) return
  event.stopPropagation()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

/** Which answer is on its way. */
export type Busy = 'approved' | 'always' | 'denied' | 'other'
export type Given = Omit<ApprovalDecision, 'runId' | 'callId'>

/** What every card of a question is given. */
export interface CardProps {
  question: ApprovalRequest
  assistantName: string
  problem: string | undefined
  /** it is the first that is still open */
  first: boolean
  /** an answer is on its way: to this question, or to another */
  busy: Busy | undefined
  onAnswer: (given: Given) => void
}
