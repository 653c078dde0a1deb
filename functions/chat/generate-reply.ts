import type { IncompleteReason } from '#shared/contracts/chat.ts'
import type { PendingCall } from '../conversations/store/run.ts'
import { listOffered, startCalls } from './tools/call-tools.ts'
import { runDecidedCalls } from './tools/decided-calls.ts'
import { offerTools } from './tools/deferred-tools.ts'
import { BudgetUsedUp } from './errors.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import { ReplyTooLong, runModelRound } from './model-round.ts'
import { countRounds } from './progress.ts'
import type { ActiveReply } from './reply.ts'
import { sendUsage } from './usage.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8

export type GenerateOutcome =
  | { status: 'done' }
  | { status: 'incomplete'; reason?: IncompleteReason | undefined }
  | { status: 'waiting'; pending: PendingCall[] }

/** Ends a reply that may not ask the model again: what it has so far stays, and says why there is no more. */
function endForBudget(
  { events, progress }: ActiveReply,
  { userMessage: message }: BudgetUsedUp,
): GenerateOutcome {
  progress.roundMessages.push({ role: 'assistant', content: message })
  const id = 'text-budget'
  events.push({ type: 'start-step' })
  events.push({ type: 'text-start', id })
  events.push({ type: 'text-delta', id, delta: message })
  events.push({ type: 'text-end', id })
  events.push({ type: 'finish-step' })
  return { status: 'incomplete', reason: 'budget' }
}

/** How much a reply shows: letters of its text, and files. */
const countShown = ({ events: { reply } }: Pick<ActiveReply, 'events'>) =>
  reply.text.trimEnd().length + reply.attachments.length

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param input `progress` and `events` grow while it works, whatever the end
 * @throws ModelError, or the reason of an aborted signal
 */
export async function generateReply(input: ActiveReply): Promise<GenerateOutcome> {
  const { progress, events, decidedCalls = [], continues } = input
  const requestedAgain = await runDecidedCalls(input, decidedCalls)
  if (requestedAgain.length > 0) return { status: 'waiting', pending: requestedAgain }
  const firstRound = countRounds(progress.roundMessages)
  for (let round = firstRound; ; round += 1) {
    // the last request has the tools, too, so that it begins as the one before
    const isLast = round >= maxRounds
    const offeredTools = listOffered(input)
    const shown = countShown(input)
    const hasResults = progress.roundMessages.at(-1)?.role === 'tool'
    let completion
    try {
      completion = await runModelRound(input, offeredTools, {
        round,
        isOpen: continues && round === firstRound,
        isLast,
      })
    } catch (error) {
      if (error instanceof ReplyTooLong) return { status: 'incomplete', reason: error.reason }
      // the first request of a reply is refused as a whole
      if (error instanceof BudgetUsedUp && round > 0) return endForBudget(input, error)
      throw error
    }
    progress.firstTokenAtMs ??= Date.now()
    const { calls, message } = completion
    if (message) progress.roundMessages.push(message)
    let pending: PendingCall[] = []
    try {
      if (calls.length > 0) pending = await startCalls(input, calls)
    } finally {
      // the usage of the request is sent even if the calls are stopped
      sendUsage(input, completion.usage)
    }
    const { text, attachments } = events.reply
    const isEmpty = text.trim() === '' && attachments.length === 0 && !completion.hasImages
    if (calls.length === 0 && isEmpty)
      throw new ModelError(
        completion.incompleteReason === 'length' ? modelErrors.outOfLength : modelErrors.empty,
        'no text and no call',
      )
    // https://github.com/QwenLM/qwen-code/issues/7034
    const isUnanswered =
      hasResults && calls.length === 0 && countShown(input) === shown && !completion.hasImages
    events.push({ type: 'finish-step' })
    if (pending.length > 0) return { status: 'waiting', pending }
    if (calls.length === 0)
      return completion.truncated || isUnanswered
        ? { status: 'incomplete', reason: completion.incompleteReason }
        : { status: 'done' }
    const changedTools = await input.findChangedTools?.()
    if (changedTools)
      Object.assign(input, {
        tools: changedTools,
        offered: offerTools(changedTools, input.contextTokens),
      })
  }
}
