import { startTurn } from '../conversations/turns/start-turn.ts'
import type { ReplyOutcome } from '../conversations/replies/reply-response.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadRequest, type LoadedRequest, type SendCall, type SendMessageDeps } from './load-request.ts'
import { openNewReply } from './open-reply.ts'
import { runReply, runStatelessReply, finishConversation } from './run-reply.ts'

/**
 * Replies to a message. Two round trips to the table precede the model request: loading the turn beside rate limits and budget, then
 * claiming the run and storing the message (ADR 0042).
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, ConversationNotFound, ProjectNotFound, AssistantNotFound, RunInProgress,
 * the errors of rate limits and budgets
 */
export async function sendMessage(call: SendCall, deps: SendMessageDeps): Promise<ReplyOutcome> {
  return startReply(call, deps, await loadRequest(call, deps))
}

/** Claims the run of a message, and begins its reply. @throws as `sendMessage` */
export async function startReply(
  call: SendCall,
  deps: SendMessageDeps,
  loaded: LoadedRequest,
): Promise<ReplyOutcome> {
  const { stores, reservation } = deps
  const [turn] = await waitForAll([
    loaded.turn && startTurn(stores, loaded.turn.request, loaded.turn.state),
    countUse(call, deps, loaded),
  ])
  if (turn?.kind === 'running') return { kind: 'following', run: turn.run }
  if (turn?.kind === 'ended') {
    const messages = await stores.files.addLinks(call.user.sub, turn.messages)
    return { kind: 'stored', run: turn.run, messages }
  }
  const reply = await openNewReply(call, deps, loaded, turn)
  const result = turn
    ? runReply(deps, turn.run, reply, turn.run.isSaved ? turn : undefined)
    : runStatelessReply(deps, reply)
  const finished = reservation.settleAfter(result, turn && finishConversation(deps, reply))
  return { kind: 'live', events: reply.events, result, finished }
}

/** Counts a conversation that begins with somebody else's assistant. A count that fails stops nothing. */
async function countUse(
  { log }: SendCall,
  { assistants }: SendMessageDeps,
  { turn, assistant: { stored, reply } }: LoadedRequest,
): Promise<void> {
  const begins = turn?.state.session === undefined && turn?.state.run === undefined
  if (!begins || !stored || !reply || reply.isMine) return
  await assistants
    .countUse(stored.id)
    .catch((error: unknown) => log.warn('the use of an assistant was not counted', { error }))
}
