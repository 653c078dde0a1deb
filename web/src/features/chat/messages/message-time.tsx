import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { formatTime, formatDateTimeLong } from '../../../lib/text/dates.ts'

/** The time of a message in the reader's locale, with the date in a tooltip. @param timestamp milliseconds since 1970; nothing is shown for NaN */
export function MessageTime({ timestamp, className }: { timestamp: number; className?: string }) {
  if (!Number.isFinite(timestamp)) return null
  return (
    <Tooltip text={formatDateTimeLong(timestamp)} side="top">
      <time dateTime={new Date(timestamp).toISOString()} className={className}>
        {formatTime(timestamp)}
      </time>
    </Tooltip>
  )
}
