import type { Failure } from '#shared/contracts/chat.ts'
import { describeFailure } from '../conversations/replies/reply-result.ts'
import { RunOwnershipLost } from '../conversations/store/errors.ts'
import { deadlineMarginMs, heartbeatEveryMs } from '../conversations/store/liveness.ts'
import { StopRequested } from '../conversations/turns/supervise-run.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { GenerateOutcome } from './generate-reply.ts'
import { isPromptTooLong } from '../models/model-errors.ts'
import { countRounds, toTextId } from './progress.ts'
import type { ActiveReply, Prompt, Reply, ReplyDeps } from './reply.ts'
import { resultPager } from './tools/result-pager.ts'

/** How a reply has ended. `waiting` ends only this invocation. */
export type ReplyEnd =
  | Exclude<GenerateOutcome, { status: 'done' }>
  | { status: 'done' | 'stopped' }
  | { status: 'lost'; cause: unknown }
  | ({ status: 'failed'; cause: unknown } & Failure)

/** The reply must end: its function has to end, or its user's account was disabled or erased. What is written stays, and can be continued. */
export class ReplyCut extends Error {
  /** undefined if the user was disabled or erased: nobody reads the reason */
  readonly reason: 'time' | undefined

  constructor(message: string, reason?: 'time') {
    super(message)
    this.reason = reason
  }
}

interface LimitsInput {
  remainingMs: () => number
  isUserDisabledOrErased: () => Promise<boolean>
  log: Logger
}

/**
 * Ends a reply in time, and within seconds after its user was disabled or erased.
 * @returns a signal that is aborted with `ReplyCut`
 */
export function limitReply({ remainingMs, isUserDisabledOrErased, log }: LimitsInput) {
  const controller = new AbortController()
  const leftMs = Math.max(0, remainingMs() - deadlineMarginMs)
  const deadline = setTimeout(() => controller.abort(new ReplyCut('the function has to end', 'time')), leftMs)
  const checkUser = async () => {
    try {
      if (await isUserDisabledOrErased()) controller.abort(new ReplyCut('the user was disabled or erased'))
    } catch (error) {
      // the next check may succeed
      log.warn('failed to look up whether the user was disabled or erased', { error })
    }
  }
  const watch = setInterval(() => void checkUser(), heartbeatEveryMs)
  return {
    signal: controller.signal,
    /** Stops watching; the signal is not aborted any more. */
    dispose() {
      clearTimeout(deadline)
      clearInterval(watch)
    },
  }
}

/** The code of answers and calls is loaded beside the other work of the start. */
const loadingGeneration = Promise.all([import('./generate-reply.ts'), import('./tools/deferred-tools.ts')])

/** Awaits a prompt, which may wait for documents. @throws the signal's reason */
async function untilAborted(prompt: Promise<Prompt>, signal: AbortSignal): Promise<Prompt> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([prompt, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Generates until an end of any kind; never throws. @param runSignal ends the reply of a run */
export async function generateToEnd(
  { wasDisabled }: Pick<ReplyDeps, 'wasDisabled'>,
  reply: Reply & Pick<ActiveReply, 'canAskUser'>,
  runSignal: AbortSignal | undefined,
): Promise<ReplyEnd> {
  const { remainingMs, log } = reply
  const limit = limitReply({ remainingMs, isUserDisabledOrErased: () => wasDisabled(reply), log })
  const signal = runSignal ? AbortSignal.any([runSignal, limit.signal]) : limit.signal
  try {
    const { given: givenBefore, cut: cutBefore } = reply.progress
    const firstPrompt = await untilAborted(reply.prompt, signal)
    const [{ generateReply }, { offerTools }] = await loadingGeneration
    const pager = resultPager(reply.contextTokens)
    const { events, progress } = reply
    const firstRound = countRounds(progress.roundMessages)
    // a request that was refused as too long has not ended the text of a continued reply
    const isTextOpen = () => reply.continues && countRounds(progress.roundMessages) === firstRound
    const generate = ({ firstTurn, given, cut, ...prompt }: Prompt, decidedCalls = reply.decidedCalls) => {
      Object.assign(reply.progress, { firstTurn, given, cut })
      return generateReply({
        ...reply,
        ...prompt,
        continues: isTextOpen(),
        signal,
        ...(decidedCalls && { decidedCalls }),
        offered: offerTools(prompt.tools, reply.contextTokens),
        resultPager: pager,
      })
    }
    try {
      return await generate(firstPrompt)
    } catch (error) {
      if (!isPromptTooLong(error)) throw error
      const { generateShorter } = await import('./generate-shorter.ts')
      const start = { given: givenBefore, cut: cutBefore }
      const refused = { start, firstPrompt, error }
      return await generateShorter({ ...reply, resultPager: pager }, refused, (prompt) =>
        generate(prompt, []),
      ).catch((cause: unknown) => {
        if (isTextOpen() && isPromptTooLong(cause))
          events.push({ type: 'text-end', id: toTextId(firstRound) })
        throw cause
      })
    }
  } catch (cause) {
    if (cause instanceof StopRequested) return { status: 'stopped' }
    if (cause instanceof ReplyCut) return { status: 'incomplete', reason: cause.reason }
    if (cause instanceof RunOwnershipLost) return { status: 'lost', cause }
    return { status: 'failed', ...describeFailure(cause) }
  } finally {
    limit.dispose()
    reply.endWaits()
  }
}
