import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { tabPrefix, writeInput } from '../../../lib/inputs.ts'
import { useInput, type Input } from '../../../lib/use-input.ts'
import type { Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'

type Request = Pick<ApprovalRequest, 'call_id' | 'asked_at'>

/**
 * A request of the same call that was made later is another one. Forms of servers have no fields for secrets, because the server refuses
 * such forms; nothing of a temporary chat is stored.
 */
const getInputKey = (conversation: Conversation, { call_id, asked_at }: Request) =>
  `${conversation.getState().isTemporary ? '' : tabPrefix}${conversation.id} ${call_id} ${asked_at}`

/** Removes what was entered for a request once the decision on its way has arrived, whatever is shown by then. */
export function discardWhenDecided(conversation: Conversation, request: Request): void {
  const unsubscribe = conversation.subscribe(() => {
    const reply = getActiveReply(conversation.getState().pending)
    const { call_id: callId, asked_at: askedAt } = request
    if (reply?.deciding?.callId === callId) return
    unsubscribe()
    const isOpen = reply?.approvals.some(
      ({ call_id, asked_at, decision }) => call_id === callId && asked_at === askedAt && decision === null,
    )
    if (!isOpen) writeInput(getInputKey(conversation, request), undefined)
  })
}

/** Whether a stored value has the fields and types of another one. */
function isAlike(value: unknown, other: unknown): boolean {
  if (Array.isArray(other)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof other !== 'object' || other === null) return typeof value === typeof other
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map(Object.entries(value))
  return Object.entries(other).every(([name, part]) => isAlike(fields.get(name), part))
}

/**
 * What is entered in a card. It is still there when the user comes back to the conversation, also after a reload unless the conversation is
 * temporary.
 */
export function useCardInput<Value>(
  conversation: Conversation,
  request: Request,
  stored: Value,
): Input<Value> {
  const input = useInput(getInputKey(conversation, request), { stored, onLeave: 'keep' })
  // a later release, or the server, may ask for other fields
  return isAlike(input.value, stored) ? input : { ...input, value: stored, isDirty: false }
}
