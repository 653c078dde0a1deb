import { plural, t } from '@lingui/core/macro'
import { CircleCheck, CircleQuestionMark, CircleX, Clock, Unplug } from 'lucide-react'
import { use, type ComponentProps } from 'react'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import {
  decisionKey,
  useRunningActions,
  type DecisionActivity,
} from '../../../lib/actions/running-actions.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ChatFailure } from '../state/chat-failure.ts'
import { getActiveReply, type ActiveReply } from '../state/pending-reply.ts'
import { isReadPage } from '../calls/page-calls.ts'
import { isScheduleTool } from '../calls/schedule-calls.ts'
import { describeDecision, getOpenMs, isExpired } from '../state/decision.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CardFrame, type ApprovalCardProps, type CardDecision, type DecisionKind } from './card-frame.tsx'
import { DenyButton } from './decision-buttons.tsx'
import { CardSlot } from './card-slot.tsx'
import { discardWhenDecided } from './card-input.ts'
import { useRefreshWhileWaiting } from './use-refresh-while-waiting.ts'
import { ReconnectContext } from './reconnect-context.ts'

/** Says in one line how a request was decided. */
function formatDecision({ kind, title, integration, decision }: ApprovalRequest): string {
  const shownTitle = revealHiddenCharacters(title)
  const isApproved = decision === 'approved'
  if (kind === 'reconnect') {
    const name = revealHiddenCharacters(integration ?? title)
    return isApproved ? t`Connected again: ${name}` : t`Not connected: ${name}`
  }
  if (kind === 'elicitation') return t`Answered: ${{ title: shownTitle }}`
  if (kind === 'task')
    return isApproved ? t`Finished: ${{ title: shownTitle }}` : t`Cancelled: ${{ title: shownTitle }}`
  return isApproved ? t`Approved: ${{ title: shownTitle }}` : t`Denied: ${{ title: shownTitle }}`
}

const hourMs = 3_600_000

/** Explains that a request has expired. @param afterMs how long it was open */
function explainExpiry(afterMs: number) {
  const hours = afterMs / hourMs
  const days = hours / 24
  // a day or two are told in hours
  return days > 2
    ? plural(days, {
        one: 'Nobody answered within # day, so it went no further. Ask again if you still want it.',
        other: 'Nobody answered within # days, so it went no further. Ask again if you still want it.',
      })
    : plural(hours, {
        one: 'Nobody answered within # hour, so it went no further. Ask again if you still want it.',
        other: 'Nobody answered within # hours, so it went no further. Ask again if you still want it.',
      })
}

/** Few replies ask for input: the code is loaded when one does. */
const ElicitationCard = lazyComponent(
  () => import('./elicitation-card.tsx'),
  'ElicitationCard',
  <Skeleton className="h-40 w-full" />,
)

/** Few calls become tasks: the code is loaded when one does. */
const TaskCard = lazyComponent(
  () => import('./task-card.tsx'),
  'TaskCard',
  <Skeleton className="h-40 w-full" />,
)

/** Few replies ask about schedules: the code is loaded when one does. */
const ScheduleCard = lazyComponent(
  () => import('./schedule-card.tsx'),
  'ScheduleCard',
  <Skeleton className="h-80 w-full" />,
)

/** Few replies ask to open a page: the code is loaded when one does. */
const PageCard = lazyComponent(
  () => import('./page-card.tsx'),
  'PageCard',
  <Skeleton className="h-40 w-full" />,
)

/** The approval requests of a waiting reply, one card each. A request that is decided while others are open becomes a line. */
export function ApprovalCards({
  conversation,
  approvals,
  assistantName,
}: {
  conversation: Conversation
  approvals: readonly ApprovalRequest[]
  assistantName: string
}) {
  useRefreshWhileWaiting(conversation)
  // renders again after a while, because a request that has expired is another card
  useNow()
  const reply = useConversationState(conversation, ({ pending }) => getActiveReply(pending))
  const { failedDecision } = reply ?? {}
  // decisions that are being sent, from here or from the page "Waiting for you"
  const running = useRunningActions()
  const decide = (approval: ApprovalRequest, decision: CardDecision) => {
    conversation.decide({ callId: approval.call_id, ...decision })
    discardWhenDecided(conversation, approval)
  }
  const firstOpenApproval = approvals.find(({ decision, kind }) => decision === null && kind !== 'task')
  return approvals.map((approval) => {
    const { call_id: callId, decision, kind } = approval
    const props = {
      conversation,
      approval,
      assistantName,
      error: failedDecision?.callId === callId ? describeFailure(failedDecision.failure) : undefined,
      isFirst: approval === firstOpenApproval,
      pendingDecision: findPendingDecision(callId, reply, running),
      onDecide: (taken: CardDecision) => decide(approval, taken),
    }
    return (
      <CardSlot key={callId} line={decision === null ? undefined : <DecidedApproval approval={approval} />}>
        <OpenCard
          // a key, because a second request about the same call is another question
          key={`${kind} ${approval.asked_at}`}
          {...props}
        />
      </CardSlot>
    )
  })
}

/**
 * Finds the decision that a card shows as being sent: its own, also if it was made elsewhere; `other` while another card's is sent or the reply
 * is being stopped.
 */
function findPendingDecision(
  callId: string,
  reply: ActiveReply | undefined,
  running: ReadonlyMap<string, string>,
): DecisionKind | undefined {
  if (!reply) return undefined
  const { runId = '', deciding, phase } = reply
  if (deciding?.callId === callId) return describeDecision(deciding)
  // the value of this kind of key is a `DecisionActivity`
  const elsewhere = running.get(decisionKey(runId, callId)) as DecisionActivity | undefined
  return elsewhere ?? (deciding || phase === 'stopping' ? 'other' : undefined)
}

const describeFailure = ({ kind, message, details }: ChatFailure) => ({
  message: kind === 'connection' ? t`Your answer may not have arrived. Please try again.` : message,
  details,
})

/** The card of a request, by its kind. */
function OpenCard(props: ApprovalCardProps & { conversation: Conversation }) {
  const { approval } = props
  const { kind, task } = approval
  if (kind !== 'task' && isExpired(approval)) return <ExpiredCard {...props} />
  switch (kind) {
    case 'approval':
      if (isReadPage(approval)) return <PageCard {...props} />
      return isScheduleTool(approval) ? <ScheduleCard {...props} /> : <ApprovalCard {...props} />
    case 'elicitation':
      return <ElicitationCard {...props} />
    case 'reconnect':
      return <ReconnectCard {...props} />
    case 'task':
      return task ? <TaskCard {...props} task={task} /> : <UnknownCard {...props} />
    default:
      kind satisfies never
      return <UnknownCard {...props} />
  }
}

/** The line of a request that is decided while others are still open. */
function DecidedApproval({ approval }: { approval: ApprovalRequest }) {
  const isApproved = approval.decision === 'approved'
  const Icon = isApproved ? CircleCheck : CircleX
  return (
    <p className="flex items-center gap-2 text-sm text-ink-muted">
      <Icon aria-hidden size={16} className={isApproved ? 'text-success' : 'text-ink-faint'} />
      {formatDecision(approval)}
    </p>
  )
}

/** The card of an expired request, which can only be declined. */
const ExpiredCard = ({ approval, ...props }: ApprovalCardProps) => (
  <DeclinableCard
    {...props}
    icon={Clock}
    title={t`${translateName(revealHiddenCharacters(approval.title))}: this request has expired`}
    description={explainExpiry(getOpenMs(approval))}
  />
)

/** The card of a request whose kind only a newer service knows. This page cannot show what it asks, so it can only be declined. */
const UnknownCard = (props: ApprovalCardProps) => (
  <DeclinableCard
    {...props}
    icon={CircleQuestionMark}
    title={t`This version cannot show what is asked here`}
    description={t`Reload the page to get the newest version, or continue without it.`}
  />
)

function DeclinableCard({
  pendingDecision,
  onDecide,
  ...frame
}: Pick<ApprovalCardProps, 'error' | 'isFirst' | 'pendingDecision' | 'onDecide'> &
  Pick<ComponentProps<typeof CardFrame>, 'icon' | 'title' | 'description'>) {
  return (
    <CardFrame
      {...frame}
      buttons={
        <DenyButton pendingDecision={pendingDecision} onDecide={onDecide}>
          {t`Continue without it`}
        </DenyButton>
      }
    />
  )
}

const explainReconnect = (reason: string) => t`${reason} Once it is connected again, this reply continues.`

/** Asks to reconnect an integration; the reply continues once it is connected. */
function ReconnectCard({
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps) {
  const reconnect = use(ReconnectContext)
  const name = revealHiddenCharacters(approval.integration ?? approval.title)
  const reason = approval.reconnect
    ? translateSentence(describeReconnectReason(name, approval.reconnect))
    : t`${assistantName} no longer has access to ${name}.`
  return (
    <CardFrame
      icon={Unplug}
      tone="warning"
      title={t`${name} has to be connected again`}
      description={approval.mcp_id === null ? reason : explainReconnect(reason)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          {approval.mcp_id !== null &&
            reconnect({
              mcpId: approval.mcp_id,
              name,
              since: approval.asked_at,
              needsKey: approval.reconnect?.kind === 'key_rejected',
              isDeciding: pendingDecision !== undefined,
              onConnected: () => onDecide({ approved: true }),
            })}
          <DenyButton variant="ghost" pendingDecision={pendingDecision} onDecide={onDecide}>
            {t`Not now`}
          </DenyButton>
        </>
      }
    />
  )
}
