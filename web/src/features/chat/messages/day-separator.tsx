import { isSameDay, formatDay } from '../../../lib/dates.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { useEffect, useState } from 'react'

type Timed = Pick<ChatMessage, 'timestamp'>

/**
 * Whether a message is the first one of its day. Of the first one that is known this can be told only where there are no earlier ones; a
 * conversation of today alone names no day.
 * @param before the message before it, undefined where none is known
 * @param hasEarlier there are messages before the first one that is known
 * @param today any time of the reader's day
 */
export function beginsDay(
  { timestamp }: Timed,
  before: Timed | undefined,
  hasEarlier: boolean,
  today: number,
): boolean {
  if (!Number.isFinite(timestamp)) return false
  if (before) return Number.isFinite(before.timestamp) && !isSameDay(timestamp, before.timestamp)
  return !hasEarlier && !isSameDay(timestamp, today)
}

/** The line above the first message of a day. */
export function DaySeparator({ at, today }: { at: number; today: number }) {
  const day = formatDay(new Date(at), new Date(today))
  return (
    <div
      role="separator"
      aria-label={day}
      className="-mb-3 flex items-center gap-3 pt-10 text-xs font-medium text-ink-muted first:pt-0 max-sm:pt-8"
    >
      <span className="h-px flex-1 bg-line" />
      {day}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

const minuteMs = 60_000
/** In the reader's time zone; where the clocks skip midnight, the day begins later. */
const startOfToday = () => new Date().setHours(0, 0, 0, 0)

/** When the reader's day began, in milliseconds since 1970: changes within a minute after midnight, and at no other time. */
export function useToday(): number {
  const [today, setToday] = useState(startOfToday)
  useEffect(() => {
    const update = () => setToday(startOfToday())
    const timer = setInterval(update, minuteMs)
    // timers stand still in a tab that sleeps
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}
