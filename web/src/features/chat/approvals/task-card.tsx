import { plural, t } from '@lingui/core/macro'
import { Hourglass } from 'lucide-react'
import { useEffect, useState, useEffectEvent } from 'react'
import type { TaskCheck, TaskView } from '#shared/contracts/runs.ts'
import { Status } from '../../../components/ui/status.tsx'
import { callApi } from '../../../lib/api/call-api.ts'
import { formatDateTime, formatTime, isSameDay } from '../../../lib/text/dates.ts'
import { serverNow } from '../../../lib/browser/server-clock.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import type { Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { DenyButton } from './decision-buttons.tsx'
import { pollWhileVisible } from './poll-while-visible.ts'

const minuteMs = 60_000
/** The card shows minutes, so it is updated a few times in each. */
const tickMs = 15_000

/** The current time of the server, in milliseconds since 1970. */
function useServerNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Such as "5 minutes". */
function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / minuteMs)
  if (minutes < 1) return t`less than a minute`
  if (minutes < 120) return plural({ count: minutes }, { one: '# minute', other: `# minutes` })
  if (minutes < 48 * 60)
    return plural({ count: Math.floor(minutes / 60) }, { one: '# hour', other: `# hours` })
  return plural({ count: Math.floor(minutes / (24 * 60)) }, { one: '# day', other: `# days` })
}

/** The time alone if it is of today, otherwise with the date. */
const formatMoment = (date: Date, now: number) =>
  isSameDay(date.getTime(), now) ? formatTime(date) : formatDateTime(date)

type WaitingConversation = Pick<Conversation, 'id' | 'getState'>

/**
 * Fetches the state of the task of a waiting call.
 * @returns undefined if the reply no longer waits
 * @throws what `callApi` throws
 */
async function checkTask(
  { id, getState }: WaitingConversation,
  callId: string,
): Promise<TaskCheck | undefined> {
  const runId = getActiveReply(getState().pending)?.runId
  if (runId === undefined) return undefined
  return callApi('runs.checkTask', { params: { sessionId: id }, body: { runId, callId } })
}

/** A call whose server is still working on it (MCP task). The reply continues when the task is done. */
export function TaskCard({
  approval,
  task,
  conversation,
  error,
  pendingDecision,
  onDecide,
}: ApprovalCardProps & { task: TaskView; conversation: WaitingConversation }) {
  const server = revealHiddenCharacters(approval.integration ?? approval.title)
  const nowMs = useServerNow()
  const { message, started_at, expires_at } = useTaskPolling({
    task,
    waitingSinceMs: Date.parse(approval.asked_at),
    isPaused: pendingDecision !== undefined,
    check: () => checkTask(conversation, approval.call_id),
    onReady: () => onDecide({ approved: true }),
  })
  const startedAt = new Date(started_at)
  return (
    <CardFrame
      icon={Hourglass}
      title={t`${server} is working on “${translateName(revealHiddenCharacters(approval.title))}”`}
      description={
        <>
          {t`Started at ${{ time: formatMoment(startedAt, nowMs) }} (${{ elapsed: formatDuration(nowMs - startedAt.getTime()) }} ago).`}{' '}
          {conversation.getState().isTemporary
            ? t`Keep this page open: a temporary chat cannot be opened again.`
            : t`You can close this page: the reply continues when you open this chat again.`}{' '}
          {expires_at !== undefined &&
            t`The result is available until ${{ time: formatMoment(new Date(expires_at), nowMs) }}.`}
        </>
      }
      error={error}
      // nothing has to be done: the focus stays where it is
      isFirst={false}
      buttons={
        <DenyButton pendingDecision={pendingDecision} onDecide={onDecide}>
          {t`Cancel`}
        </DenyButton>
      }
    >
      {message !== undefined && (
        <Status className="text-sm wrap-anywhere">
          <span className="text-ink-muted">{t`${server} says:`}</span>{' '}
          <bdi>{revealHiddenCharacters(message)}</bdi>
        </Status>
      )}
    </CardFrame>
  )
}

/** The shortest time between two requests of a card, whatever the server of the task says: each is a request to our service, too. */
const minDelayMs = 2_000
/** On a page that stays open the delay grows up to this, unless the server asks for a longer one. */
const maxGrownDelayMs = 60_000

/** A task, and how to ask for its state. */
interface TaskPollingOptions {
  task: TaskView
  /** since when the reply waits for it, in milliseconds since 1970 */
  waitingSinceMs: number
  /** whether a decision is being sent, during which nothing is asked */
  isPaused: boolean
  /** asks for the state; rejects if it is unknown for now, and returns undefined if the reply no longer waits */
  check: () => Promise<TaskCheck | undefined>
  /** called when the reply can continue; again after the next request if it does not */
  onReady: () => void
}

/**
 * Polls the task of a tool's server while the page is visible: as often as the server says, when the page is opened or shown again as soon as
 * the server allows, and less often on a page that stays open.
 * @returns the last known state of the task
 */
function useTaskPolling({ task, waitingSinceMs, isPaused, check, onReady }: TaskPollingOptions): TaskView {
  const [current, setCurrent] = useState(task)
  const ask = useEffectEvent(async (): Promise<TaskView | undefined> => {
    if (isPaused) return undefined
    const checked = await check().catch((error: unknown) => {
      // the run has ended or expired: sending the decision fails the same way, and then the conversation shows the outcome
      if (error instanceof ApiError && error.status === 404) onReady()
    })
    if (!checked) return undefined
    setCurrent(checked.task)
    if (checked.is_ready) onReady()
    return checked.task
  })
  const startPolling = useEffectEvent(() => {
    let pollAfterMs = task.poll_after_ms
    const getMinDelayMs = () => Math.max(minDelayMs, pollAfterMs)
    // the server was asked when the reply began to wait, which may be just now
    const waitedMs = Math.max(0, serverNow() - waitingSinceMs)
    return pollWhileVisible({
      firstDelayMs: Math.max(0, getMinDelayMs() - waitedMs),
      getMinDelayMs,
      maxGrownDelayMs,
      async poll() {
        pollAfterMs = (await ask())?.poll_after_ms ?? pollAfterMs
      },
    })
  })
  useEffect(() => startPolling(), [])

  return current
}
