import { connectionLost } from '#shared/chat-texts.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { ChatResponse, Failure, ToolCall } from '#shared/contracts/chat.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { toChatResponse, toErrorEvent } from './reply-result.ts'
import { getFailure, toRunView, type Run } from '../store/run.ts'
import { toReadMessage, type StoredMessage } from '../store/message-row.ts'

/** The JSON form of a reply that is stored. */
export function toStoredResponse(run: Run, messages: readonly Message[]): ChatResponse {
  const reply: Partial<Message> = messages.find(({ role }) => role === 'assistant') ?? {}
  const { content = '', tool_calls: toolCalls = [], attachments = [], notices, reasoning, sources } = reply
  const { incomplete_reason: incompleteReason } = reply
  const response = toChatResponse(
    {
      content,
      toolCalls,
      attachments,
      ...(notices && { notices }),
      ...(reasoning && { reasoning }),
      ...(sources && { sources }),
    },
    withRequestId(run, getFailure(run) ?? (run.status === 'interrupted' ? connectionLost : null)),
  )
  return { ...response, ...(incompleteReason && { incompleteReason }) }
}

const withRequestId = ({ requestId }: Run, failure: Failure | null): Failure | null =>
  failure && requestId !== undefined ? { ...failure, requestId } : failure

function toCallEvents(
  { tool, action, integration, parameters, result, elicited }: ToolCall,
  id: string,
): ChatEvent[] {
  const { success, data = null, error = '', codes, ...others } = result
  const extras = { ...others, ...(elicited && { elicited }) }
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
      : { type: 'tool-output-error', toolCallId: id, errorText: error, ...(codes && { codes }) },
  ]
}

type StoredParts = Partial<Pick<ChatResponse, 'toolCalls' | 'reasoning' | 'sources'>>

/**
 * The parts of a stored reply as events, in the order in which the page shows them.
 * @param text events of its text
 */
function toPartEvents(
  { toolCalls = [], reasoning, sources = [] }: StoredParts,
  text: ChatEvent[],
): ChatEvent[] {
  const id = 'reasoning-0'
  return [
    ...(reasoning
      ? [
          { type: 'reasoning-start', id } as const,
          { type: 'reasoning-delta', id, delta: reasoning.text } as const,
          {
            type: 'reasoning-end',
            id,
            providerMetadata: { juno: { durationMs: reasoning.durationMs } },
          } as const,
        ]
      : []),
    ...toolCalls.flatMap((call, index) => toCallEvents(call, `call-${index}`)),
    ...text,
    ...sources.map((source, index) => ({
      type: 'source-url' as const,
      sourceId: `source-${index + 1}`,
      ...toSource(source),
    })),
  ]
}

/** Parts as one step; no step without them. */
const toStep = (parts: readonly ChatEvent[]): ChatEvent[] =>
  parts.length > 0 ? [{ type: 'start-step' }, ...parts, { type: 'finish-step' }] : []

/** A whole text as events. */
function toTextEvents(text: string, id: string): ChatEvent[] {
  if (text === '') return []
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ]
}

/** What a stored reply has besides its text, as events for the readers of the run that goes on with it. */
export const toEarlierEvents = ({
  attachments = [],
  notices = [],
  usage,
  ...parts
}: StoredParts & Partial<Pick<Message, 'attachments' | 'notices' | 'usage'>>): ChatEvent[] => [
  ...toStep(toPartEvents(parts, [])),
  ...attachments.map((data) => ({ type: 'data-attachment', data }) as const),
  ...notices.map((data) => ({ type: 'data-notice', data }) as const),
  ...(usage ? [{ type: 'message-metadata', messageMetadata: { usage } } as const] : []),
]

const toSource = ({ url, title }: NonNullable<ChatResponse['sources']>[number]) => ({
  url,
  ...(title !== undefined && { title }),
})

/**
 * Events of a run that had ended already. A reader from the start gets the reply as a stream; one that comes back gets the
 * stored messages, which replace what it has.
 */
export function buildEndedEvents(run: Run, messages: readonly StoredMessage[], after: number): ChatEvent[] {
  const result = toStoredResponse(run, messages)
  const usage = messages.find((message) => message.usage)?.usage
  const messageMetadata = { sessionId: run.sessionId, runId: run.runId }
  return [
    ...(after === 0
      ? [
          { type: 'start', messageId: run.replyId, messageMetadata } as const,
          ...toStep(toPartEvents(result, toTextEvents(result.content, 'text-0'))),
        ]
      : []),
    { type: 'data-reply', data: { messages: messages.map(toReadMessage), run: toRunView(run) } },
    ...(usage ? [{ type: 'message-metadata', messageMetadata: { usage } } as const] : []),
    ...(run.status === 'stopped' ? [{ type: 'abort' } as const] : []),
    ...(result.error === null ? [] : [toErrorEvent({ ...result, error: result.error })]),
    { type: 'finish', messageMetadata: result },
  ]
}
