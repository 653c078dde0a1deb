import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { formatTime, fullTime } from '../../../lib/dates.ts'

/** HH:mm, the whole date on hover. @param at milliseconds since 1970 */
export function MessageTime({ at, className }: { at: number; className?: string }) {
  if (!Number.isFinite(at)) return null
  return (
    <Tooltip text={fullTime(at)} side="top">
      <time dateTime={new Date(at).toISOString()} className={className}>
        {formatTime(at)}
      </time>
    </Tooltip>
  )
}
