import type { ApprovalRequest } from '#shared/contracts/sessions.ts'
import type { RunAnswer } from '../chat-api.ts'

/** Which answer is on its way. */
export type Busy = 'approved' | 'always' | 'denied' | 'other'
export type Given = Omit<RunAnswer, 'runId' | 'callId'>

/** What every card of a question is given. */
export interface CardProps {
  question: ApprovalRequest
  assistantName: string
  problem: string | undefined
  /** it is the first that is still open */
  first: boolean
  /** an answer is on its way: to this question, or to another */
  busy: Busy | undefined
  onAnswer: (given: Given) => void
}
