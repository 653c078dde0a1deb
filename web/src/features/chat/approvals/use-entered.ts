import { useState } from 'react'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'

type Request = Pick<ApprovalRequest, 'call_id' | 'asked_at'>

/** What was entered for the open requests of each conversation. In memory only: it may be private. */
const enteredValues = new WeakMap<object, Map<string, unknown>>()

/** A request of the same call that was made later is another one. */
const getKey = ({ call_id, asked_at }: Request) => `${call_id} ${asked_at}`

/** Removes what was entered for a request that is decided. */
export const discardEntered = (conversation: object, request: Request) =>
  enteredValues.get(conversation)?.delete(getKey(request))

/** The state of a card. It is still there when the user comes back to the conversation. */
export function useEntered<Value>(
  conversation: object,
  request: Request,
  getInitial: () => Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(
    () => (enteredValues.get(conversation)?.get(getKey(request)) as Value | undefined) ?? getInitial(),
  )
  const enter = (next: Value) => {
    const values = enteredValues.get(conversation) ?? new Map<string, unknown>()
    enteredValues.set(conversation, values.set(getKey(request), next))
    setValue(next)
  }
  return [value, enter]
}
