import { useState } from 'react'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { readEntered, removeEntered, saveEntered } from '../../../lib/entered-values.ts'
import type { Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'

type Request = Pick<ApprovalRequest, 'call_id' | 'asked_at'>

/** What was entered for the open requests of each conversation. */
const enteredValues = new WeakMap<Conversation, Map<string, unknown>>()

/** A request of the same call that was made later is another one. */
const getKey = (conversation: Conversation, { call_id, asked_at }: Request) =>
  `${conversation.id} ${call_id} ${asked_at}`

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
    if (isOpen) return
    const key = getKey(conversation, request)
    enteredValues.get(conversation)?.delete(key)
    removeEntered(key)
  })
}

/** Whether a stored value has the fields and types of the initial one. */
function isAlike(value: unknown, initial: unknown): boolean {
  if (Array.isArray(initial)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof initial !== 'object' || initial === null) return typeof value === typeof initial
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map(Object.entries(value))
  return Object.entries(initial).every(([name, part]) => isAlike(fields.get(name), part))
}

/**
 * The state of a card. It is still there when the user comes back to the conversation, also after a reload unless the conversation is
 * temporary.
 */
export function useEntered<Value>(
  conversation: Conversation,
  request: Request,
  getInitial: () => Value,
): [Value, (value: Value) => void] {
  const key = getKey(conversation, request)
  const [value, setValue] = useState(() => {
    const initial = getInitial()
    const entered = enteredValues.get(conversation)?.get(key) ?? readEntered(key)
    return isAlike(entered, initial) ? (entered as Value) : initial
  })
  const enter = (next: Value) => {
    const values = enteredValues.get(conversation) ?? new Map<string, unknown>()
    enteredValues.set(conversation, values.set(key, next))
    if (!conversation.getState().isTemporary) saveEntered(key, next)
    setValue(next)
  }
  return [value, enter]
}
