import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { lapsesAfterMs } from '#shared/limits.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { serverNow } from '../../../lib/server-clock.ts'
import type { Conversation } from '../state/conversation.ts'
import { revealHiddenCharacters } from '../tools/hidden-characters.ts'
import { ApprovalCard } from './approval-card.tsx'
import type { DecisionKind, ApprovalCardProps, CardDecision } from './card-frame.tsx'
import { CardFrame } from './card-frame.tsx'
import { CardPlace } from './card-place.tsx'
import { ReconnectCard } from './reconnect-card.tsx'
import { translateSentence } from '../../../lib/translate.ts'
import * as texts from './texts.tsx'
import { discardCardInput } from './card-input.ts'
import { useRefreshWhileWaiting } from './use-refresh-while-waiting.ts'

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

/** The approval requests of a waiting reply, one card each. */
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
  const [pendingDecision, setPendingDecision] = useState<{ callId: string; kind: DecisionKind }>()
  const [error, setError] = useState<{ callId: string; message: string }>()
  const isDeciding = useRef(false)
  const decide = async (approval: ApprovalRequest, decision: CardDecision) => {
    const callId = approval.call_id
    // a second decision, such as that of a task that ends meanwhile, would abort the first
    if (isDeciding.current) return
    isDeciding.current = true
    setPendingDecision({
      callId,
      kind: decision.approved ? (decision.always ? 'always' : 'approved') : 'denied',
    })
    setError(undefined)
    const message = await conversation.decide({ callId, ...decision })
    isDeciding.current = false
    setPendingDecision(undefined)
    if (message === undefined) discardCardInput(conversation, approval)
    else setError({ callId, message })
  }
  const firstOpenApproval = approvals.find(({ decision, kind }) => decision === null && kind !== 'task')
  return approvals.map((approval) => {
    const { call_id: callId, decision, kind } = approval
    const props = {
      conversation,
      approval,
      assistantName,
      error: error?.callId === callId ? error.message : undefined,
      isFirst: approval === firstOpenApproval,
      pendingDecision:
        pendingDecision && (pendingDecision.callId === callId ? pendingDecision.kind : 'other'),
      onDecide: (taken: CardDecision) => void decide(approval, taken),
    }
    return (
      <CardPlace key={callId} line={decision === null ? undefined : <DecidedApproval approval={approval} />}>
        <OpenCard
          // a call that is asked about again is a new question
          key={`${kind} ${approval.asked_at}`}
          {...props}
        />
      </CardPlace>
    )
  })
}

/** The card of a request, by its kind. */
function OpenCard(props: ApprovalCardProps & { conversation: Conversation }) {
  const { approval } = props
  if (approval.kind === 'task' && approval.task) return <TaskCard {...props} task={approval.task} />
  if (isExpired(approval)) return <ExpiredCard {...props} />
  if (approval.kind === 'elicitation') return <ElicitationCard {...props} />
  if (approval.kind === 'reconnect') return <ReconnectCard {...props} />
  return <ApprovalCard {...props} />
}

const isExpired = ({ asked_at, kind }: ApprovalRequest) =>
  serverNow() - Date.parse(asked_at) > lapsesAfterMs(kind)

/** Decided, while another request is still open. */
function DecidedApproval({ approval: { kind, title, decision } }: { approval: ApprovalRequest }) {
  const approved = decision === 'approved'
  const shownTitle = revealHiddenCharacters(title)
  const Icon = approved ? CircleCheck : CircleX
  return (
    <p className="flex items-center gap-2 text-sm text-ink-muted">
      <Icon aria-hidden size={16} className={approved ? 'text-success' : 'text-ink-faint'} />
      {kind === 'elicitation'
        ? texts.answered(shownTitle)
        : kind === 'task'
          ? (approved ? texts.finished : texts.cancelled)(shownTitle)
          : (approved ? texts.approved : texts.denied)(shownTitle)}
    </p>
  )
}

/** An expired request can only be declined. */
function ExpiredCard({ approval, error, isFirst, pendingDecision, onDecide }: ApprovalCardProps) {
  return (
    <CardFrame
      icon={Clock}
      title={texts.expired(translateSentence(revealHiddenCharacters(approval.title)))}
      description={texts.expiredHint(lapsesAfterMs(approval.kind))}
      error={error}
      isFirst={isFirst}
      buttons={
        <Button busy={pendingDecision === 'denied'} onClick={() => onDecide({ approved: false })}>
          {texts.continueWithout}
        </Button>
      }
    />
  )
}
