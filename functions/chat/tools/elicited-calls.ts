import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import type { ElicitedInput, FormContent } from '#shared/contracts/elicitation.ts'
import { truncate } from '#shared/truncate.ts'
import { toStorableFields } from '../../platform/dynamodb/storable.ts'
import type { CallHistory, PendingCall } from '../../conversations/store/run.ts'
import type { InputRequest } from '../../tools/calls/unfinished-calls.ts'
import type { PreparedCall } from './run-tool.ts'

/** How often a server may ask the user during one call. */
const maxInputRequests = 5
/** Stored length of a server's message, and of the values of one form. */
const maxMessageCharacters = 500
const maxContentCharacters = 4_000

/** @returns why the server of a call may not ask the user once more */
export function findInputLimitProblem({ tool, history }: PreparedCall): Sentence | undefined {
  if ((history?.rounds ?? 0) < maxInputRequests) return undefined
  const name = tool?.integration?.name ?? 'The server'
  return sayTool('call_stopped.asked_often', { name, times: maxInputRequests })
}

/** The approval request of a run that waits for what a server asks for. */
export const toElicitationRequest = (
  call: PendingCall,
  { requests, requestState, task }: InputRequest,
): PendingCall => {
  const { inputResponses: _, requestState: __, ...history } = call.history ?? {}
  return {
    ...call,
    elicitations: requests,
    history: {
      ...history,
      rounds: (history.rounds ?? 0) + 1,
      ...(requestState !== undefined && { requestState }),
      ...(task && { task }),
    },
  }
}

/** The call's history with the user's response, which answers all requests of the server. Without a response they are cancelled. */
export function continueWithResponse({
  elicitations = [],
  response,
  history = {},
}: PendingCall): CallHistory {
  const { action, content = {} } = response ?? { action: 'cancel' as const }
  const contents = new Map<string, FormContent>(action === 'accept' ? Object.entries(content) : [])
  const responses = elicitations.map(({ key, mode }) => {
    const form = mode === 'form' ? contents.get(key) : undefined
    return [key, { action, ...(form && { content: form }) }] as const
  })
  const elicited = elicitations.map((request): ElicitedInput => {
    const form = request.mode === 'form' ? contents.get(request.key) : undefined
    return {
      message: truncate(request.message, maxMessageCharacters),
      action,
      ...(request.mode === 'url' && { host: request.host }),
      ...(form && { content: form }),
    }
  })
  return {
    ...history,
    inputResponses: Object.fromEntries(responses),
    elicited: [...(history.elicited ?? []), ...elicited],
  }
}

/** What a server asked and was sent, for the stored call. @param maxCharacters that can be stored */
export function toStoredElicited(
  { history }: PreparedCall,
  maxCharacters: number,
): { elicited?: ElicitedInput[] } {
  if (!history?.elicited) return {}
  const characters = Math.min(Math.floor(maxCharacters / history.elicited.length), maxContentCharacters)
  return {
    elicited: history.elicited.map(({ content, ...others }) => ({
      ...others,
      ...(content && { content: toStorableFields(content, characters) as FormContent }),
    })),
  }
}
