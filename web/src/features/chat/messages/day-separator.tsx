import { isSameDay, formatDay } from '../../../lib/text/dates.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { Separator } from './separator.tsx'

type Timestamped = Pick<ChatMessage, 'timestamp'>

/**
 * Whether a separator is shown above a message: it is the first of its day. For the first loaded message this is known only if there are
 * no earlier ones; it needs none if it is of today. Without a valid time there is none, neither above the message nor below it.
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

/** The line above the first message of a day. */
export const DaySeparator = ({ timestamp, today }: { timestamp: number; today: number }) => (
  <Separator label={formatDay(new Date(timestamp), new Date(today))} />
)
