import { Tooltip } from '../../../components/ui/tooltip.tsx'

const hoursAndMinutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** HH:mm, the whole date on hover. @param at milliseconds since 1970 */
export function MessageTime({ at, className }: { at: number; className?: string }) {
  if (!Number.isFinite(at)) return null
  return (
    <Tooltip text={full.format(at)} side="top">
      <time dateTime={new Date(at).toISOString()} className={className}>
        {hoursAndMinutes.format(at)}
      </time>
    </Tooltip>
  )
}
