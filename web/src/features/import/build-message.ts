import type { Reasoning, Source } from '#shared/contracts/chat.ts'
import type { ImportedCall } from '#shared/contracts/imports.ts'
import {
  maxFilesPerMessage,
  maxImportedCalls,
  maxImportedMessageCharacters,
  maxMessageCharacters,
  maxReasoningCharacters,
  maxReasoningMs,
  maxSources,
  truncationMarker,
} from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { BuiltMessage } from './build-conversation.ts'
import type { LeftOutCounter } from './left-out.ts'
import { joinParts, type MessageContent } from './message-parts.ts'

/**
 * Joins messages of an export that follow each other into one, as far as the service takes it; what it does not take is counted.
 * @param fallbackMs the time of the message if the first of them has none
 */
export function buildMessage(
  role: 'user' | 'assistant',
  nodes: readonly { content: MessageContent }[],
  fallbackMs: number,
  leftOut: LeftOutCounter,
): Omit<BuiltMessage, 'turn'> {
  const text = joinParts(nodes.flatMap(({ content }) => content.parts))
  const files = [
    ...new Map(nodes.flatMap(({ content }) => content.files).map((file) => [file.id, file])).values(),
  ]
  leftOut.add('furtherFiles', { count: files.length - maxFilesPerMessage })
  if (text.length > maxMessageCharacters) leftOut.add('longTexts')
  const content =
    text.length > maxMessageCharacters
      ? `${truncate(text, maxMessageCharacters - truncationMarker.length - 2)}\n\n${truncationMarker}`
      : text
  const ended = nodes.at(-1)?.content.ended
  return {
    role,
    content,
    created_at: new Date(nodes[0]?.content.atMs ?? fallbackMs).toISOString(),
    files: files.slice(0, maxFilesPerMessage),
    ...(role === 'assistant' && buildExtras(nodes, maxImportedMessageCharacters - content.length, leftOut)),
    ...(ended && { ended }),
  }
}

/** More than the brackets and commas around the lists of sources and calls, which count as well. */
const listOverhead = 100

/** Sources, calls and reasoning of a reply, as much as there is room for. @param room characters */
function buildExtras(nodes: readonly { content: MessageContent }[], room: number, leftOut: LeftOutCounter) {
  const sourcesByUrl = new Map(
    nodes.flatMap(({ content }) => content.sources ?? []).map((source) => [source.url, source]),
  )
  const sources = pickFitting<Source>(
    [...sourcesByUrl.values()],
    { maxCount: maxSources, room: room - listOverhead },
    () => leftOut.add('furtherSources'),
  )
  const calls = pickFitting<ImportedCall>(
    nodes.flatMap(({ content }) => content.calls ?? []),
    { maxCount: maxImportedCalls, room: sources.roomLeft },
    (call) => leftOut.add('toolCalls', { name: call.integration ?? call.tool }),
  )
  const reasoning = buildReasoning(nodes, calls.roomLeft, leftOut)
  return {
    ...(reasoning && { reasoning }),
    ...(sources.picked.length > 0 && { sources: sources.picked }),
    ...(calls.picked.length > 0 && { tool_calls: calls.picked }),
  }
}

/** Picks the items whose JSON fits into the room that those before have left, up to a count. */
function pickFitting<Item>(
  items: readonly Item[],
  { maxCount, room }: { maxCount: number; room: number },
  onLeftOut: (item: Item) => void,
): { picked: Item[]; roomLeft: number } {
  const picked: Item[] = []
  let roomLeft = room
  for (const item of items) {
    const size = JSON.stringify(item).length + ','.length
    if (picked.length < maxCount && size <= roomLeft) {
      picked.push(item)
      roomLeft -= size
    } else onLeftOut(item)
  }
  return { picked, roomLeft }
}

function buildReasoning(
  nodes: readonly { content: MessageContent }[],
  room: number,
  leftOut: LeftOutCounter,
): Reasoning | undefined {
  const thoughts = nodes.flatMap(({ content }) => content.reasoning ?? [])
  const text = thoughts
    .map((one) => one.text)
    .filter((one) => one !== '')
    .join('\n\n')
  const tookMs = Math.round(thoughts.reduce((sum, one) => sum + one.durationMs, 0))
  // a clock that was set back makes it negative
  const durationMs = Math.min(maxReasoningMs, Math.max(0, tookMs))
  const shortened = truncate(text, Math.max(0, Math.min(maxReasoningCharacters, room)))
  // the time alone says that there was some
  if (shortened.length < text.length || (text === '' && durationMs > 0)) leftOut.add('reasoning')
  return shortened === '' ? undefined : { text: shortened, durationMs }
}
