import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { parseInput, tabPrefix, type Entry } from '../../../lib/input/inputs.ts'
import { useRawInput } from '../../../lib/input/text-input.ts'

type Request = Pick<ApprovalRequest, 'call_id' | 'asked_at'>

/**
 * The key under which the input of a card is stored. It names the time of the request, because a later one of the same call is another question.
 * Nothing of a temporary chat is stored beyond the page. Forms have no fields for secrets, because the service refuses such forms.
 */
export const getInputKey = (
  conversationId: string,
  { call_id, asked_at }: Request,
  { isTemporary = false } = {},
): string => `${isTemporary ? '' : tabPrefix}${conversationId} ${call_id} ${asked_at}`

/** Whether the user has changed something on the card of a request, in this tab, that was not sent. */
export function useIsCardEdited(conversationId: string, request: Request): boolean {
  const key = getInputKey(conversationId, request)
  const temporaryKey = getInputKey(conversationId, request, { isTemporary: true })
  const isEdited = isChanged(key, useRawInput(key))
  return isChanged(temporaryKey, useRawInput(temporaryKey)) || isEdited
}

function isChanged(key: string, raw: unknown): boolean {
  // storage may hold anything
  const { value, base } = Object(parseInput(key, raw)) as Partial<Entry>
  return JSON.stringify(value) !== JSON.stringify(base)
}
