import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useId } from 'react'
import { Link } from '../../../lib/navigation/router.tsx'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { useReplyNotifications } from '../../../lib/browser/reply-notifications.ts'
import { useIsDeleting } from '../../../lib/actions/running-actions.ts'
import { serverNow } from '../../../lib/browser/server-clock.ts'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { waitingQuery } from '../../../lib/queries/waiting-queries.ts'
import { settingsPath } from '../../../lib/navigation/paths.ts'
import { isExpired } from '../state/decision.ts'
import { WaitingRow } from './waiting-row.tsx'

const toKey = ({ run_id: runId, request: { call_id: callId, asked_at: askedAt } }: WaitingCall) =>
  `${runId} ${callId} ${askedAt}`

/** The page of all calls that wait for the user, in all conversations. They can be decided in place. */
export function WaitingPage() {
  const query = useQuery(waitingQuery)
  useDocumentTitle(t`Waiting for you`)
  return (
    <main className="relative h-full min-h-0 overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges] print:h-auto print:overflow-visible">
      <div className="mx-auto max-w-[calc(48rem+3rem)] px-6 pt-6 pb-16 text-ui max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        <header className="mb-5">
          <h1 tabIndex={-1} className="text-lg/6 font-semibold tracking-tight outline-none">
            {t`Waiting for you`}
          </h1>
          <p className="text-sm text-ink-muted">{t`Nothing here happens until you approve it.`}</p>
        </header>
        <QueryContent
          query={query}
          label={t`Loading what waits for you`}
          failure={t`What waits for you could not be loaded.`}
          placeholder={rowSkeletons}
        >
          {(data) => <WaitingCalls {...data} />}
        </QueryContent>
      </div>
    </main>
  )
}

/** The calls from chats, then those from schedules. @param props.total how many wait, of which the service lists only the first */
function WaitingCalls({ waiting, total }: RouteResponse<'waiting.list'>) {
  const isDeleting = useIsDeleting()
  // renders again after a while, because calls that have expired leave the list
  useNow()
  const now = new Date(serverNow())
  const calls = waiting.filter((call) => !isDeleting(call.session_id) && !isExpired(call.request))
  const chats = calls.filter(({ schedule_id: id }) => id === undefined)
  const schedules = calls.filter(({ schedule_id: id }) => id !== undefined)
  const first = [...chats, ...schedules].find(({ request }) => request.kind === 'approval')
  const moreCount = total - waiting.length
  if (calls.length === 0 && moreCount <= 0) return <NothingWaits />
  return (
    <>
      {chats.length > 0 && <WaitingList title={t`From chats`} calls={chats} first={first} now={now} />}
      {schedules.length > 0 && (
        <WaitingList title={t`From schedules`} calls={schedules} first={first} now={now} />
      )}
      {moreCount > 0 && (
        <p className="text-sm text-ink-muted">
          {plural(moreCount, {
            one: '# more waits. It is listed here once you have decided some of these.',
            other: '# more wait. They are listed here once you have decided some of these.',
          })}
        </p>
      )}
    </>
  )
}

function WaitingList({
  title,
  calls,
  first,
  now,
}: {
  title: string
  calls: readonly WaitingCall[]
  /** the call that is open from the beginning */
  first: WaitingCall | undefined
  now: Date
}) {
  const id = useId()
  return (
    <section className="mb-8">
      <h2 id={id} className="mb-2 text-sm font-medium text-ink-muted">
        {title} <span className="ms-1 font-normal">{formatCount(calls.length)}</span>
      </h2>
      <Card as="ul" aria-labelledby={id} className="divide-y divide-line">
        {calls.map((call) => (
          <WaitingRow key={toKey(call)} call={call} now={now} isFirst={call === first} />
        ))}
      </Card>
    </section>
  )
}

function NothingWaits() {
  const { assistantName } = useBrand()
  const notifications = useReplyNotifications()
  return (
    <div className="grid justify-items-start gap-3">
      <Inbox aria-hidden size={24} strokeWidth={1.75} className="text-ink-faint" />
      <p className="max-w-(--width-note) text-ink-muted">
        {t`Nothing waits. When ${assistantName} wants to send, change or delete something while you are away, it asks here.`}
      </p>
      {notifications === 'off' && (
        <p className="text-sm text-ink-muted">
          {t`Want to hear of it at once?`}{' '}
          <Link to={`${settingsPath}#notifications`} className="link">
            {t`Turn on notifications`}
          </Link>
        </p>
      )}
    </div>
  )
}

const rowSkeletons = (
  <Card className="divide-y divide-line">
    {['w-64', 'w-48', 'w-56'].map((width) => (
      <div key={width} className="flex h-17 items-center gap-3 px-4">
        <Skeleton className="size-8 shrink-0 rounded-sm" />
        <div className="min-w-0 flex-1">
          <Skeleton className={`h-4 ${width} max-w-full`} />
          <Skeleton className="mt-2 h-3.5 w-40 max-w-full" />
        </div>
      </div>
    ))}
  </Card>
)
