import type { ChatEvent } from '#shared/chat-events.ts'

/** The events that this page knows. */
const eventTypes = {
  start: true,
  'data-reading': true,
  'start-step': true,
  'finish-step': true,
  'reasoning-start': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'text-start': true,
  'text-delta': true,
  'text-end': true,
  'data-retracted-text': true,
  'tool-input-start': true,
  'tool-input-delta': true,
  'tool-input-available': true,
  'tool-approval-request': true,
  'tool-approval-response': true,
  'tool-output-available': true,
  'tool-output-error': true,
  'tool-output-denied': true,
  'data-result-extras': true,
  'source-url': true,
  'message-metadata': true,
  file: true,
  'data-attachment': true,
  'data-notice': true,
  'data-session': true,
  'data-reply': true,
  'data-run': true,
  abort: true,
  error: true,
  finish: true,
} as const satisfies Record<ChatEvent['type'], true>

/**
 * Parses the data of an event.
 * @returns undefined for what is no JSON, for an event of an unknown type, because the server may be newer than the page, and for a delta
 * without a text. Other fields are not checked.
 */
export function parseChatEvent(data: string): ChatEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(eventTypes, type)) return undefined
  const event = value as ChatEvent
  return isDelta(event) && typeof getDelta(event) !== 'string' ? undefined : event
}

type DeltaEvent = Extract<ChatEvent, { type: `${string}-delta` }>
const isDelta = (event: ChatEvent): event is DeltaEvent => event.type.endsWith('-delta')
const getDelta = (event: DeltaEvent): string =>
  event.type === 'tool-input-delta' ? event.inputTextDelta : event.delta

/**
 * Removes the part of an event that was received before.
 * @param position of the end of the event; a delta moves it on by its length. An event without one is delivered as it is
 * @param receivedPosition of the end of what was received
 * @returns undefined if nothing is left
 */
export function trimOverlap(
  event: ChatEvent,
  position: number | undefined,
  receivedPosition: number,
): ChatEvent | undefined {
  if (position === undefined) return event
  // After a reconnect, events that say what has become of the run have the reader's own position. That it waits is delivered. That it has ended
  // is not: the stored conversation, which is loaded when a stream ends without a result, says more about it.
  if (event.type === 'data-run' && position === receivedPosition) return event
  if (position <= receivedPosition) return undefined
  if (!isDelta(event)) return event
  const delta = getDelta(event)
  const overlap = receivedPosition - (position - delta.length)
  if (overlap <= 0) return event
  return event.type === 'tool-input-delta'
    ? { ...event, inputTextDelta: delta.slice(overlap) }
    : { ...event, delta: delta.slice(overlap) }
}
