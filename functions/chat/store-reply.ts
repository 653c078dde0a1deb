import { replyNotStored } from '#shared/chat-texts.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ConversationNotFound, RunOwnershipLost } from '../conversations/store/errors.ts'
import { toRunView, type PendingCall, type Run, type Transcript } from '../conversations/store/run.ts'
import { finishRun } from '../conversations/turns/finish-run.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import type { Supervision } from '../conversations/turns/supervise-run.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import type { ReplyEnd } from './generate-to-end.ts'
import { trimHistory } from './prompt/prompt.ts'
import { closeRounds, formatTranscript, nothingGiven } from './prompt/transcript.ts'
import type { Reply } from './reply.ts'

interface StoreEndInput {
  reply: Reply
  ended: ReplyEnd
  supervision: Supervision
  /** of the turn's row, which is published before its reply is stored */
  published: Promise<void> | undefined
  /** messages of the turn that are counted with its reply */
  uncounted?: number | undefined
}

/**
 * Lets the run wait or finishes it, and sends the last events. Never throws.
 * @returns the actual end: a stop request that arrived meanwhile wins over waiting for approval, a reply that cannot be stored is lost or
 *   has failed
 */
export async function storeEnd(
  stores: ConversationStores,
  run: Run,
  input: StoreEndInput,
): Promise<ReplyEnd> {
  try {
    await input.published
    return await waitOrFinish(stores, run, input)
  } catch (cause) {
    if (cause instanceof RunOwnershipLost || cause instanceof ConversationNotFound)
      return { status: 'lost', cause }
    input.reply.log.error('a reply could not be stored', { runId: run.runId, error: cause })
    return { status: 'failed', ...replyNotStored, cause }
  }
}

async function waitOrFinish(
  stores: ConversationStores,
  run: Run,
  { reply, ended, supervision, ...input }: StoreEndInput,
): Promise<ReplyEnd> {
  if (ended.status === 'lost') return ended
  let current = run
  if (ended.status === 'waiting') {
    current = await startWaiting(stores, run, { reply, pending: ended.pending, supervision })
    if (current.stopRequestedAtMs === undefined) {
      reply.events.push({ type: 'data-run', data: toRunView(current) })
      return ended
    }
  }
  const end = ended.status === 'waiting' ? ({ status: 'stopped' } as const) : ended
  const { events, progress, continues } = reply
  const transcript = toStoredTranscript(reply)
  // a failed continuation leaves the reply incomplete, so it can be continued again
  const status = end.status === 'failed' && continues ? 'incomplete' : end.status
  // the current state, so that the rows of a waiting run are deleted too
  const stored = await finishRun(stores, current, {
    ...toReplyParts(events.reply),
    status,
    earlierUsage: progress.earlierUsage,
    transcript,
    cut: progress.cut,
    incompleteReason: end.status === 'incomplete' ? end.reason : undefined,
    ...(end.status === 'failed' && { failure: end }),
    ...('uncounted' in input && { uncounted: input.uncounted }),
    hasCheckpoints: supervision.hasCheckpoints(),
  })
  if (status === 'incomplete') events.push({ type: 'data-run', data: toRunView({ ...run, status }) })
  if (stored) events.push({ type: 'data-session', data: stored.session })
  return end
}

/** The turn as the model was given it. @returns undefined if it is no more than the messages themselves */
function toStoredTranscript({ progress, modelName: model, events }: Reply): string | undefined {
  const { given = nothingGiven, roundMessages } = progress
  const messages = closeRounds(roundMessages)
  const [only] = messages
  const isGivenMore = JSON.stringify(given) !== JSON.stringify(nothingGiven)
  const { text, attachments } = events.reply
  const isPlain =
    messages.length === 0 ||
    (messages.length === 1 &&
      only?.role === 'assistant' &&
      !only.answer &&
      only.content === text &&
      attachments.length === 0)
  if (isPlain && !isGivenMore) return undefined
  return formatTranscript({ model, given, messages })
}

/** The events that tell readers that the run waits: `data-run` and `finish`. The resumed log continues after them. */
const eventsAfterWait = 2

/** Of a request, what it says for the prompt. */
const pickHints = ({ systemPrompt, integrationContext, connectedTools, time_zone }: Reply['hints']) => ({
  ...(systemPrompt !== undefined && { systemPrompt }),
  ...(integrationContext && { integrationContext }),
  ...(connectedTools && { connectedTools }),
  ...(time_zone && { time_zone }),
})

async function startWaiting(
  stores: ConversationStores,
  run: Run,
  { reply, pending, supervision }: Pick<StoreEndInput, 'reply' | 'supervision'> & { pending: PendingCall[] },
): Promise<Run> {
  const { events, history, contextLimits, hints, startDate, modelName: model } = reply
  const { roundMessages, given = nothingGiven, cut, earlierUsage } = reply.progress
  await supervision.checkpoint()
  const transcript: Transcript = {
    turn: formatTranscript({ model, given, messages: roundMessages }),
    ...(cut && { cut }),
    hints: pickHints(hints),
    startDate,
    reply: { ...events.reply, attachments: toReplyParts(events.reply).attachments },
    ...(earlierUsage && { earlierUsage }),
    position: events.position + eventsAfterWait,
    ...(!run.isSaved && { said: trimHistory(history, contextLimits) }),
  }
  const { persist } = retriedWrites()
  const waiting = await persist(() => stores.runs.startWaiting(run, pending, transcript))
  // from now on they are needed as long as the run
  if (!run.isSaved) await persist(() => stores.files.setExpiry(run.sub, run.fileIds)).catch(() => undefined)
  return waiting
}
