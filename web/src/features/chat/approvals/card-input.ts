import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { writeInput } from '../../../lib/input/inputs.ts'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import type { Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { getInputKey } from './card-input-key.ts'

type Request = Pick<ApprovalRequest, 'call_id' | 'asked_at'>

const getKey = (conversation: Conversation, request: Request) =>
  getInputKey(conversation.id, request, conversation.getState())

/** Removes what was entered for a request as soon as its decision has arrived, also if its card is no longer shown. */
export function discardWhenDecided(conversation: Conversation, request: Request): void {
  const unsubscribe = conversation.subscribe(() => {
    const reply = getActiveReply(conversation.getState().pending)
    const { call_id: callId, asked_at: askedAt } = request
    if (reply?.deciding?.callId === callId) return
    unsubscribe()
    const isOpen = reply?.approvals.some(
      ({ call_id, asked_at, decision }) => call_id === callId && asked_at === askedAt && decision === null,
    )
    if (!isOpen) writeInput(getKey(conversation, request), undefined)
  })
}

/** Whether a stored value has the fields and types of another value. */
function hasSameShape(value: unknown, other: unknown): boolean {
  if (Array.isArray(other)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof other !== 'object' || other === null) return typeof value === typeof other
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map(Object.entries(value))
  return Object.entries(other).every(([name, part]) => hasSameShape(fields.get(name), part))
}

/**
 * The input of a card. It is kept when the user leaves the conversation and comes back, also after a reload, except in a temporary chat.
 * @param stored the values that the card begins with; what is stored in another shape is ignored
 */
export function useCardInput<Value>(
  conversation: Conversation,
  request: Request,
  stored: Value,
): Input<Value> {
  const input = useInput(getKey(conversation, request), { stored, onLeave: 'keep' })
  if (hasSameShape(input.value, stored)) return input
  // another release, or the server, has asked for other fields
  const getUsable = (value: Value) => (hasSameShape(value, stored) ? value : stored)
  const part: Input<Value>['part'] = (read, write) =>
    input.part(
      (value) => read(getUsable(value)),
      (value, text) => write(getUsable(value), text),
    )
  return {
    ...input,
    value: stored,
    isDirty: false,
    part,
    at: (name) =>
      part(
        (value) => String(value[name]),
        (value, text) => ({ ...value, [name]: text }),
      ),
  }
}
