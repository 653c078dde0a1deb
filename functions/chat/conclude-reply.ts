import type { Failure } from '#shared/contracts/chat.ts'
import { connectionLost, replyNotices } from '#shared/chat-texts.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { toChatResponse, toErrorEvent, type ReplyResult } from '../conversations/replies/reply-result.ts'
import type { ReplyEnd } from './generate-to-end.ts'
import { addNotice } from './progress.ts'
import type { Reply } from './reply.ts'

function toFailure(ended: ReplyEnd, requestId: string): Failure | null {
  if (ended.status === 'lost') return { ...connectionLost, requestId }
  if (ended.status !== 'failed') return null
  const { error, code, params } = ended
  return { error, ...(code !== undefined && { code }), ...(params && { params }), requestId }
}

/**
 * Sends the last event of a reply, and logs and measures how it ended.
 * @returns the reply as JSON
 */
export function concludeReply(reply: Reply, ended: ReplyEnd, startedAtMs: number): ReplyResult {
  const { events, log, progress, receivedAtMs, requestId } = reply
  const failure = toFailure(ended, requestId)
  log[failure ? 'warn' : 'info']('reply ended', {
    runStatus: ended.status,
    durationMs: Date.now() - startedAtMs,
    inputTokens: progress.inputTokens,
    outputTokens: progress.outputTokens,
    ...('cause' in ended && { error: ended.cause }),
  })
  if (ended.status === 'stopped') events.push({ type: 'abort' })
  if (failure) events.push(toErrorEvent(failure))
  const incompleteReason = ended.status === 'incomplete' ? ended.reason : undefined
  if (incompleteReason === 'filter') addNotice(reply, replyNotices.filtered)
  for (const { code } of events.reply.notices) log.warn('a reply has a notice', { code })
  const result = {
    ...toChatResponse(toReplyParts(events.reply), failure),
    ...(incompleteReason && { incompleteReason }),
  }
  events.push({ type: 'finish', messageMetadata: result })
  events.close()
  const { firstTokenAtMs, inputTokens, outputTokens } = progress
  // after the last event, so that no reader waits for metrics
  measure(
    {
      FailedReplies: failure ? 1 : 0,
      InputTokens: inputTokens,
      OutputTokens: outputTokens,
      ...(receivedAtMs !== undefined &&
        firstTokenAtMs !== undefined && { TimeToFirstToken: firstTokenAtMs - receivedAtMs }),
    },
    { requestId },
  )
  return 'cause' in ended ? { ...result, cause: ended.cause } : result
}
