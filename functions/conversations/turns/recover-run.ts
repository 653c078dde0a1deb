import type { Reasoning, ReplyNotice, Source, ToolCall, Usage } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { foldReply, toToolCall } from '#shared/reply/fold-reply.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { ConversationNotFound } from '../store/errors.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import { finishRun } from './finish-run.ts'
import { isLost } from '../store/liveness.ts'
import { toEvent, type LogPart } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'

interface RecoveredReply {
  content: string
  toolCalls: ToolCall[]
  attachments: Attachment[]
  notices: ReplyNotice[]
  reasoning: Reasoning
  sources: Source[]
  usage: Usage | undefined
  /** the part of `usage` that is counted already */
  earlierUsage?: Usage | undefined
}

const interruptedCallText = 'Interrupted before it answered. It may have been done.'

/** Builds the reply from its checkpoints. A call without an outcome may have been executed; one that was being written was not. */
function collectReply(parts: readonly LogPart[]): RecoveredReply {
  const { text, toolCalls, attachments, notices, reasoning, sources, usage } = parts.reduce(
    (reply, part) => foldReply(reply, toEvent(part, part.from)),
    emptyReply,
  )
  return {
    content: text.trim(),
    toolCalls: toolCalls
      .filter(({ status }) => status !== 'writing')
      .map((call) => toToolCall(call, interruptedCallText)),
    attachments: [...attachments],
    notices: [...notices],
    reasoning: { text: reasoning?.text.trim() ?? '', durationMs: reasoning?.durationMs ?? 0 },
    sources: [...sources],
    usage,
  }
}

/**
 * Adds what the reply had before this run: checkpoints hold its text, but neither the calls nor the images of a continued reply.
 * If the run wrote nothing, the stored reply stays as it is.
 */
function addEarlierReply(
  own: RecoveredReply,
  { replyId }: Run,
  earlier: Message | undefined,
): RecoveredReply {
  const isEmpty = own.content === '' && own.toolCalls.length === 0 && own.attachments.length === 0
  if (!earlier || isEmpty) return own
  const toolCalls = [...earlier.tool_calls, ...own.toolCalls]
  if (earlier.id !== replyId) return { ...own, toolCalls }
  const { text = '', durationMs = 0 } = earlier.reasoning ?? {}
  return {
    ...own,
    toolCalls,
    attachments: [...earlier.attachments, ...own.attachments],
    notices: [...(earlier.notices ?? []), ...own.notices],
    reasoning: {
      text: [text, own.reasoning.text].filter((part) => part !== '').join('\n\n'),
      durationMs: durationMs + own.reasoning.durationMs,
    },
    sources: [...(earlier.sources ?? []), ...own.sources],
    usage: own.usage ?? earlier.usage,
    earlierUsage: earlier.usage,
  }
}

/** @returns false if the run has changed since */
async function ignoreOwnershipLost(ending: Promise<unknown>): Promise<boolean> {
  try {
    await ending
    return true
  } catch (error) {
    if (error instanceof RunOwnershipLost || error instanceof ConversationNotFound) return false
    throw error
  }
}

/**
 * Ends a run that lost its writer; any reader may call it. It marks the run as interrupted, which fences out the writer, and stores the
 * reply from the checkpoints: stopped if the user had requested that, interrupted otherwise. A run that is already interrupted is
 * checked again, in case an earlier recovery broke off. A temporary run cannot be recovered: its item and its files are deleted.
 * @param run as read
 * @returns the current state of the run
 */
export async function recoverRun(stores: ConversationStores, run: Run): Promise<Run | undefined> {
  const { runs, logs } = stores
  const hasLostWriter = isLost(run, Date.now())
  if (!hasLostWriter && run.status !== 'interrupted') return run
  const status = run.stopRequestedAtMs === undefined ? 'interrupted' : 'stopped'
  if (!run.isSaved) {
    await ignoreOwnershipLost(
      finishRun(stores, run, { status, content: '', toolCalls: [], hasCheckpoints: false }),
    )
    return runs.find(run.sub, run.sessionId)
  }
  if (hasLostWriter && !(await runs.interrupt(run))) return runs.find(run.sub, run.sessionId)

  const parts = await logs.read(run, 0)
  // already recovered
  if (!hasLostWriter && parts.length === 0 && status === 'interrupted') return run
  const earlier = await stores.messages.findEarlierReply(run.sub, run.sessionId, run)
  const reply = addEarlierReply(collectReply(parts), run, earlier)
  const isEnded = await ignoreOwnershipLost(
    finishRun(stores, run, { status, ...reply, hasCheckpoints: true }, 'recovery'),
  )
  return isEnded ? { ...run, status } : runs.find(run.sub, run.sessionId)
}
