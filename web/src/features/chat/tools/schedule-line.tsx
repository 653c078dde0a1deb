import { t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { Link } from '../../../lib/navigation/router.tsx'
import { describeRule } from '../../../lib/text/describe-rule.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { schedulesPath } from '../../../lib/navigation/paths.ts'
import type { ScheduleResult } from '../calls/schedule-calls.ts'

/** Says what a reply has done with a schedule, with a link to the page of schedules. */
export function ScheduleLine({ result: { kind, prompt, when } }: { result: ScheduleResult }) {
  const times = when && describeRule(when.rule, when.timeZone)
  return (
    <p className="flex max-w-full items-start gap-2 rounded-sm bg-surface-hover px-2.5 py-1.5 text-sm text-ink-muted">
      <CalendarClock aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 wrap-anywhere">
        {formatLabel(kind)} {times !== undefined && `${times} · `}
        <bdi>{revealHiddenCharacters(prompt)}</bdi>
      </span>
      <Link
        to={schedulesPath}
        className="link shrink-0 font-medium max-sm:-my-1.5 max-sm:py-1.5 print:hidden"
      >
        {t`Scheduled`}
      </Link>
    </p>
  )
}

function formatLabel(kind: ScheduleResult['kind']): string {
  switch (kind) {
    case 'created':
      return t`Schedule created:`
    case 'existed':
      return t`This schedule exists already:`
    case 'changed':
      return t`Schedule changed:`
    case 'paused':
      return t`Schedule paused:`
    case 'deleted':
      return t`Schedule deleted:`
  }
}
