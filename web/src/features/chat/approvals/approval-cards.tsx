import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { useState } from 'react'
import type { ApprovalRequest } from '#shared/contracts/sessions.ts'
import { approvalLapsesAfterMs } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import type { Conversation } from '../state/conversation.ts'
import { visibly } from '../tools/hidden-characters.ts'
import { ApprovalCard } from './approval-card.tsx'
import type { Busy, CardProps, Given } from './card-frame.tsx'
import { QuestionFrame } from './card-frame.tsx'
import { ReconnectCard } from './reconnect-card.tsx'

/** What a waiting reply asks, one card each. */
export function QuestionCards({
  conversation,
  questions,
  assistantName,
}: {
  conversation: Conversation
  questions: readonly ApprovalRequest[]
  assistantName: string
}) {
  const [pending, setPending] = useState<{ callId: string; what: Busy }>()
  const [problem, setProblem] = useState<{ callId: string; sentence: string }>()
  const answer = async (callId: string, given: Given) => {
    setPending({ callId, what: given.approved ? (given.always ? 'always' : 'approved') : 'denied' })
    setProblem(undefined)
    const sentence = await conversation.answer({ callId, ...given })
    setPending(undefined)
    if (sentence !== undefined) setProblem({ callId, sentence })
  }
  const firstOpen = questions.find(({ decision }) => decision === null)
  return questions.map((question) => {
    const { call_id: callId, decision, kind } = question
    const props: CardProps = {
      question,
      assistantName,
      problem: problem?.callId === callId ? problem.sentence : undefined,
      first: question === firstOpen,
      busy: pending && (pending.callId === callId ? pending.what : 'other'),
      onAnswer: (given) => void answer(callId, given),
    }
    if (decision !== null) return <Decided key={callId} question={question} />
    if (isExpired(question)) return <ExpiredCard key={callId} {...props} />
    return kind === 'reconnect' ? (
      <ReconnectCard key={callId} {...props} />
    ) : (
      <ApprovalCard key={callId} {...props} />
    )
  })
}

const isExpired = ({ asked_at }: ApprovalRequest) => Date.now() - Date.parse(asked_at) > approvalLapsesAfterMs

/** Answered, while another question is still open. */
function Decided({ question: { title, decision } }: { question: ApprovalRequest }) {
  const approved = decision === 'approved'
  const Icon = approved ? CircleCheck : CircleX
  return (
    <p className="flex items-center gap-2 text-sm text-ink-muted">
      <Icon aria-hidden size={16} className={approved ? 'text-success' : 'text-ink-faint'} />
      {approved ? 'Approved' : 'Denied'}: {visibly(title)}
    </p>
  )
}

/** Only a no counts after a day: a yes would be given to something that nobody remembers. */
function ExpiredCard({ question, problem, first, busy, onAnswer }: CardProps) {
  return (
    <QuestionFrame
      icon={Clock}
      title={`${visibly(question.title)}: this question has expired`}
      about="Nobody answered within 24 hours, so nothing was done. Ask again if you still want it."
      problem={problem}
      first={first}
      buttons={
        <Button busy={busy === 'denied'} onClick={() => onAnswer({ approved: false })}>
          Go on without it
        </Button>
      }
    />
  )
}
