import { isSameDay, formatDay } from '../../../lib/dates.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { useEffect, useState } from 'react'

type Timestamped = Pick<ChatMessage, 'timestamp'>

/**
 * Whether a separator is shown above a message: it is the first of its day. For the first loaded message this is known only if there are
 * no earlier ones; it needs none if it is of today.
 * @param previous the message before it; undefined for the first loaded one
 * @param options.hasEarlier whether there are messages before the first loaded one
 * @param options.today any time of the current day, in milliseconds since 1970
 */
export function needsDaySeparator(
  { timestamp }: Timestamped,
  previous: Timestamped | undefined,
  { hasEarlier, today }: { hasEarlier: boolean; today: number },
): boolean {
  if (!Number.isFinite(timestamp)) return false
  if (previous) return Number.isFinite(previous.timestamp) && !isSameDay(timestamp, previous.timestamp)
  return !hasEarlier && !isSameDay(timestamp, today)
}

/** A line between messages with a label for what begins below it. */
export function Separator({ label }: { label: string }) {
  return (
    <div
      role="separator"
      aria-label={label}
      className="-mb-3 flex items-center gap-3 pt-10 text-xs font-medium text-ink-muted first:pt-0 max-sm:pt-8"
    >
      <span className="h-px min-w-4 flex-1 bg-line" />
      <span className="text-center text-balance">{label}</span>
      <span className="h-px min-w-4 flex-1 bg-line" />
    </div>
  )
}

/** The line above the first message of a day. */
export const DaySeparator = ({ timestamp, today }: { timestamp: number; today: number }) => (
  <Separator label={formatDay(new Date(timestamp), new Date(today))} />
)

const minuteMs = 60_000
/** Midnight in the time zone of the browser. */
const getStartOfToday = () => new Date().setHours(0, 0, 0, 0)

/** @returns the start of the current day, in milliseconds since 1970; updates within a minute after midnight */
export function useToday(): number {
  const [today, setToday] = useState(getStartOfToday)
  useEffect(() => {
    const update = () => setToday(getStartOfToday())
    const timer = setInterval(update, minuteMs)
    // timers stop in a sleeping tab
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}
