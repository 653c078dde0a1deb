import type { ImportedCall } from '#shared/contracts/imports.ts'
import { maxImportedTurns, maxMessageCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter } from './left-out.ts'
import { toSource } from './message-links.ts'
import type { MessageContent } from './message-parts.ts'
import { toFields, toList, toLibraryId, toText, toTimeMs, type Fields } from './read-values.ts'

/** The service takes no longer names of calls. */
const maxCallNameCharacters = 200

/** The ways in which a reply may have ended early. */
const ends = ['stopped', 'failed', 'incomplete', 'interrupted'] as const

/** Whether a conversation is of this product's own export. */
export const isJuno = (conversation: Fields): boolean =>
  Array.isArray(conversation['messages']) && typeof conversation['message_count'] === 'number'

/**
 * Reads a conversation of this product's own export: the messages of the branch that is shown, then those of other versions. Each says its
 * turn, and `forks` which turns follow another one than the one before; exports of earlier releases have neither.
 */
export function readJuno(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  if (['model', 'effort', 'disabled_tools'].some((field) => conversation[field] !== undefined))
    leftOut.add('conversationChoices')
  const shownMessages = toList(conversation['messages']).map(toFields)
  const otherMessages = toList(conversation['other_versions']).map(toFields)
  const hasTurns = [...shownMessages, ...otherMessages].every(
    ({ turn }) => Number.isInteger(turn) && Number(turn) > 0,
  )
  // without their turns nobody knows which messages they are versions of
  if (!hasTurns)
    leftOut.add('versions', { count: otherMessages.filter(({ role }) => role === 'user').length })
  const numbered = hasTurns ? [...shownMessages, ...otherMessages] : numberTurns(shownMessages)
  /** the messages of each turn, in order */
  const turns = new Map<number, Fields[]>()
  for (const message of numbered.toSorted((a, b) => Number(a['turn']) - Number(b['turn']))) {
    const turn = Number(message['turn'])
    const messages = turns.get(turn) ?? []
    messages.push(message)
    turns.set(turn, messages)
  }
  const findPrevious = createPreviousFinder(toList(conversation['forks']).map(toFields), turns)
  /** the last message of the turn before */
  const findParent = (turn: number): string | undefined => {
    const previous = findPrevious(turn)
    const length = turns.get(previous)?.length
    return length === undefined ? undefined : toId(previous, length - 1)
  }
  const nodes = [...turns].flatMap(([turn, messages]) =>
    messages.map((message, index): MessageNode => ({
      id: toId(turn, index),
      parentId: index === 0 ? findParent(turn) : toId(turn, index - 1),
      read: () => readMessage(message, leftOut),
    })),
  )
  const last = hasTurns ? shownMessages.at(-1) : numbered.at(-1)
  const lastTurn = Number(last?.['turn'])
  return {
    sourceId: toText(conversation['id']),
    title: toText(conversation['title']),
    createdMs: toTimeMs(conversation['created_at']),
    updatedMs: toTimeMs(conversation['updated_at']),
    isArchived: conversation['archived'] === true,
    isPinned: conversation['pinned'] === true,
    projectId: toLibraryId(conversation['project_id']) || undefined,
    nodes,
    currentId: toId(lastTurn, (turns.get(lastTurn)?.length ?? 1) - 1),
  }
}

const toId = (turn: number, index: number) => `${turn}.${index}`

/** A turn begins with each message of the user. */
function numberTurns(messages: readonly Fields[]): Fields[] {
  let turn = 0
  return messages.map((message) => {
    if (message['role'] === 'user' || turn === 0) turn += 1
    return { ...message, turn }
  })
}

/** @returns finds the turn with messages that another one follows; 0: none */
function createPreviousFinder(
  forks: readonly Fields[],
  turns: ReadonlyMap<number, unknown>,
): (turn: number) => number {
  const byTurn = new Map(forks.map((fork) => [Number(fork['turn']), fork]))
  const findNext = (turn: number) => {
    const first = Number(byTurn.get(turn)?.['version_of'] ?? turn)
    const after = byTurn.get(turn)?.['after'] ?? byTurn.get(first)?.['after']
    const previous = after === undefined ? first - 1 : Number(after)
    // a turn follows an earlier one
    return previous < turn && previous > 0 ? previous : 0
  }
  /** for turns without messages */
  const previousTurns = new Map<number, number>()
  return (turn) => {
    const passed: number[] = []
    let previous = findNext(turn)
    while (
      previous > 0 &&
      !turns.has(previous) &&
      !previousTurns.has(previous) &&
      passed.length < maxImportedTurns
    ) {
      passed.push(previous)
      previous = findNext(previous)
    }
    const previousWithMessages = previousTurns.get(previous) ?? previous
    for (const one of passed) previousTurns.set(one, previousWithMessages)
    return previousWithMessages
  }
}

function readMessage(message: Fields, leftOut: LeftOutCounter): ReturnType<MessageNode['read']> {
  const role = message['role']
  if (role !== 'user' && role !== 'assistant') {
    leftOut.add('messages')
    return {}
  }
  const hasReason = message['incomplete_reason'] !== undefined
  leftOut.add('notices', { count: toList(message['notices']).length + Number(hasReason) })
  leftOut.add('replyUsage', { count: Number(message['usage'] !== undefined) })
  const files = toList(message['attachments']).map(toFields).flatMap(toFileReference)
  const text = toText(message['content'])
  const content: MessageContent = {
    role,
    parts: [text],
    files,
    atMs: toTimeMs(message['created_at']),
    reasoning: readReasoning(toFields(message['reasoning'])),
    sources: toList(message['sources'])
      .map(toFields)
      .flatMap(({ url, title }) => toSource(toText(url), toText(title)) ?? []),
    ended: ends.find((end) => end === message['ended']),
    calls:
      role === 'user'
        ? []
        : toList(message['tool_calls'])
            .map(toFields)
            .flatMap((call) => toCall(call, leftOut)),
  }
  const isEmpty = text === '' && files.length === 0 && content.calls?.length === 0
  return isEmpty && !content.ended && !content.reasoning ? {} : { content }
}

/** A call with its result, as it is shown; files of a result are the message's. */
function toCall(
  { tool, action, integration, parameters, result, elicited }: Fields,
  leftOut: LeftOutCounter,
): ImportedCall[] {
  const name = truncate(toText(tool), maxCallNameCharacters)
  const { success, data, error, structured, totalRows, app, links, notes } = toFields(result)
  if (name === '') return []
  leftOut.add('callExtras', {
    count: [links, notes, elicited].flatMap(toList).length + Number(Boolean(app)),
    name: toText(integration) || name,
  })
  return [
    {
      tool: name,
      action: truncate(toText(action), maxCallNameCharacters),
      ...(toText(integration) !== '' && {
        integration: truncate(toText(integration), maxCallNameCharacters),
      }),
      parameters: toFields(parameters),
      result: {
        success: success === true,
        ...(data !== undefined && { data: withoutFileIds(data) }),
        ...(typeof error === 'string' && { error: truncate(error, maxMessageCharacters) }),
        ...(structured === true && { structured }),
        ...(Number.isInteger(totalRows) && Number(totalRows) >= 0 && { totalRows: Number(totalRows) }),
      },
    },
  ]
}

/** Files have other ids here: a statement over them cannot be run again. */
function withoutFileIds(data: unknown): unknown {
  const { sources } = toFields(data)
  if (!Array.isArray(sources)) return data
  return {
    ...toFields(data),
    sources: sources.map((source) =>
      Object.fromEntries(
        Object.entries(toFields(source)).filter(([name]) => name !== 'file_id' && name !== 'key'),
      ),
    ),
  }
}

function toFileReference(attachment: Fields): FileReference[] {
  const id = toText(attachment['id'])
  return id === '' || attachment['isDeleted'] === true ? [] : [{ id, name: toText(attachment['name']) }]
}

function readReasoning({ text, durationMs }: Fields): MessageContent['reasoning'] {
  const words = toText(text)
  return words === '' ? undefined : { text: words, durationMs: Math.max(0, Number(durationMs) || 0) }
}
