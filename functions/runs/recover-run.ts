import type { ReplyNotice, ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/sessions.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import type { Stores } from '../conversations/stores.ts'
import { RunLost } from './errors.ts'
import { finishRun } from './finish-run.ts'
import { isLost } from './liveness.ts'
import type { LogPart } from './reply-log.ts'
import type { Run } from './run.ts'

interface Recovered {
  content: string
  toolCalls: ToolCall[]
  attachments: Attachment[]
  notices: ReplyNotice[]
}

const unanswered = 'Interrupted before it answered. It may have been done.'

/** What the checkpoints of a reply come to. A call without an outcome may have been done. */
function readParts(parts: readonly LogPart[]): Recovered {
  let content = ''
  const toolCalls: ToolCall[] = []
  // models may use an id again in a later round
  const latest = new Map<string, ToolCall>()
  const attachments: Attachment[] = []
  const notices: ReplyNotice[] = []
  const settle = (id: string, result: ToolCall['result']) => {
    const call = latest.get(id)
    if (call) call.result = result
  }
  for (const part of parts) {
    if ('text' in part) {
      content += part.text
      continue
    }
    const { event } = part
    if (event.type === 'text-start') content += '\n\n'
    else if (event.type === 'data-attachment') attachments.push(event.data)
    else if (event.type === 'data-notice') notices.push(event.data)
    else if (event.type === 'tool-input-available') {
      const { title, integration } = event.providerMetadata?.juno ?? {}
      const call: ToolCall = {
        tool: event.toolName,
        action: title ?? event.toolName,
        ...(integration !== undefined && { integration }),
        parameters: event.input as Record<string, unknown>,
        result: { success: false, error: unanswered },
      }
      toolCalls.push(call)
      latest.set(event.toolCallId, call)
    } else if (event.type === 'tool-output-available')
      settle(event.toolCallId, { success: true, data: event.output })
    else if (event.type === 'tool-output-error')
      settle(event.toolCallId, { success: false, error: event.errorText })
    else if (event.type === 'tool-output-denied')
      settle(event.toolCallId, { success: false, error: 'This call was not allowed.' })
  }
  return { content: content.trim(), toolCalls, attachments, notices }
}

/**
 * Adds what the reply had before this run: checkpoints hold its text, but neither the calls nor the images of a reply that goes on.
 * Where the run wrote nothing, what is stored stays as it is.
 */
function withEarlier(own: Recovered, { replyId }: Run, earlier: Message | undefined): Recovered {
  const isEmpty = own.content === '' && own.toolCalls.length === 0 && own.attachments.length === 0
  if (!earlier || isEmpty) return own
  return {
    ...own,
    toolCalls: [...earlier.tool_calls, ...own.toolCalls],
    attachments: [...(earlier.id === replyId ? earlier.attachments : []), ...own.attachments],
  }
}

/** @returns false when the run has moved on meanwhile */
async function unlessLost(ended: Promise<unknown>): Promise<boolean> {
  try {
    await ended
    return true
  } catch (error) {
    if (error instanceof RunLost || error instanceof SessionNotFound) return false
    throw error
  }
}

/**
 * Ends a run that lost its writer, for whoever meets it. The run is marked as interrupted, which fences its writer out, and what its
 * checkpoints hold becomes the stored reply: stopped where the user had asked for that, and interrupted otherwise. A run found
 * interrupted is looked at once more, in case the one who marked it got no further. Of a chat that is not kept nothing can be
 * recovered: its item and its files go.
 * @param run as read
 * @returns the run as it stands now
 */
export async function recoverRun(stores: Stores, run: Run): Promise<Run | undefined> {
  const { runs, logs } = stores
  const lost = isLost(run, Date.now())
  if (!lost && run.status !== 'interrupted') return run
  const status = run.stopRequestedAtMs === undefined ? 'interrupted' : 'stopped'
  if (!run.kept) {
    await unlessLost(finishRun(stores, run, { status, content: '', toolCalls: [], logged: false }))
    return runs.find(run.sub, run.sessionId)
  }
  if (lost && !(await runs.interrupt(run))) return runs.find(run.sub, run.sessionId)

  const parts = await logs.read(run, 0)
  // somebody has recovered it before
  if (!lost && parts.length === 0 && status === 'interrupted') return run
  const earlier = await stores.messages.earlierReply(run.sub, run.sessionId, run)
  const reply = withEarlier(readParts(parts), run, earlier)
  const ended = await unlessLost(finishRun(stores, run, { status, ...reply, logged: true }, 'recovery'))
  return ended ? { ...run, status } : runs.find(run.sub, run.sessionId)
}
