import { chatErrors } from '#shared/chat-texts.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { ChatResponse, ToolCall } from '#shared/contracts/chat.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { toRunView, type Run } from '../store/run.ts'
import { toReadMessage, type StoredMessage } from '../store/message-repository.ts'

/** The JSON form of a reply that is stored. */
export function toChatResponse(run: Run, messages: readonly Message[]): ChatResponse {
  const replies = messages.filter(({ role }) => role === 'assistant')
  const attachments = replies.flatMap((reply) => reply.attachments)
  const error = run.error ?? (run.status === 'interrupted' ? chatErrors.connection : null)
  // a stopped reply has two messages: the first has notices, reasoning and sources
  const [first] = replies
  return {
    success: error === null,
    content: replies
      .filter(({ content }) => content !== stoppedLine)
      .map(({ content }) => content)
      .join('\n\n'),
    toolCalls: replies.flatMap(({ tool_calls }) => tool_calls),
    error,
    ...(attachments.length > 0 && { attachments }),
    ...(first?.notices && { notices: first.notices }),
    ...(first?.reasoning && { reasoning: first.reasoning }),
    ...(first?.sources && { sources: first.sources }),
  }
}

function toCallEvents({ tool, action, integration, parameters, result }: ToolCall, id: string): ChatEvent[] {
  const { success, data = null, error = '', ...extras } = result
  const juno = { kind: 'other' as const, title: action, ...(integration !== undefined && { integration }) }
  return [
    {
      type: 'tool-input-available',
      toolCallId: id,
      toolName: tool,
      input: parameters,
      providerMetadata: { juno },
    },
    ...(Object.keys(extras).length > 0
      ? [{ type: 'data-result-extras' as const, data: { toolCallId: id, ...extras } }]
      : []),
    success
      ? { type: 'tool-output-available', toolCallId: id, output: data }
      : { type: 'tool-output-error', toolCallId: id, errorText: error },
  ]
}

/** A stored reply as one step, in the order in which the page shows its parts. */
function toStepEvents({ content, toolCalls, reasoning, sources = [] }: ChatResponse): ChatEvent[] {
  const parts: ChatEvent[] = []
  if (reasoning) {
    const id = 'reasoning-0'
    parts.push({ type: 'reasoning-start', id }, { type: 'reasoning-delta', id, delta: reasoning.text })
    const { durationMs } = reasoning
    parts.push({ type: 'reasoning-end', id, providerMetadata: { juno: { durationMs } } })
  }
  parts.push(...toolCalls.flatMap((call, index) => toCallEvents(call, `call-${index}`)))
  if (content !== '') {
    const id = 'text-0'
    parts.push({ type: 'text-start', id }, { type: 'text-delta', id, delta: content })
    parts.push({ type: 'text-end', id })
  }
  for (const [index, source] of sources.entries())
    parts.push({ type: 'source-url', sourceId: `source-${index + 1}`, ...toSource(source) })
  return parts.length > 0 ? [{ type: 'start-step' }, ...parts, { type: 'finish-step' }] : []
}

const toSource = ({ url, title }: NonNullable<ChatResponse['sources']>[number]) => ({
  url,
  ...(title !== undefined && { title }),
})

/**
 * Events of a run that had ended already. A reader from the start gets the reply as a stream; one that comes back gets the
 * stored messages, which replace what it has.
 */
export function buildEndedEvents(run: Run, messages: readonly StoredMessage[], after: number): ChatEvent[] {
  const result = toChatResponse(run, messages)
  const usage = messages.find((message) => message.usage)?.usage
  const messageMetadata = { sessionId: run.sessionId, runId: run.runId }
  return [
    ...(after === 0
      ? [{ type: 'start', messageId: run.replyId, messageMetadata } as const, ...toStepEvents(result)]
      : []),
    { type: 'data-reply', data: { messages: messages.map(toReadMessage), run: toRunView(run) } },
    ...(usage ? [{ type: 'message-metadata', messageMetadata: { usage } } as const] : []),
    ...(run.status === 'stopped' ? [{ type: 'abort' } as const] : []),
    ...(result.error === null ? [] : [{ type: 'error', errorText: result.error } as const]),
    { type: 'finish', messageMetadata: result },
  ]
}
