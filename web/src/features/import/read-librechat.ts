import { getOwn } from '#shared/get-own.ts'
import type { Source } from '#shared/contracts/chat.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter, LeftOutKind } from './left-out.ts'
import { toLanguage } from './code-languages.ts'
import { formatLinks, toSource } from './message-links.ts'
import type { Documents, ExportedDocument, MessageContent, MessagePart } from './message-parts.ts'
import { toBaseName, toFields, toList, toText, toTimeMs, type Fields } from './read-values.ts'

/** Parts that a reader does not see: they are for the model. */
const ignoredTypes = new Set(['agent_update', 'summary'])
const callKinds: Readonly<Record<string, LeftOutKind>> = {
  code_interpreter: 'codeRuns',
  execute_code: 'codeRuns',
  web_search: 'webSearches',
}

/** Whether a conversation is of an export of LibreChat, which has one in each file. */
export const isLibreChat = (conversation: Fields): boolean =>
  typeof conversation['conversationId'] === 'string' &&
  (Array.isArray(conversation['messages']) || Array.isArray(conversation['messagesTree']))

/**
 * Reads a conversation of an export of LibreChat: messages that name their parents, or (“recursive”) have their replies in them.
 * The newest message is at the end of the branch that is shown.
 */
export function readLibreChat(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  const nodes: MessageNode[] = []
  const times = new Map<string, number>()
  // a stack, because replies may be deeper than the engine's own
  const pending = toList(conversation['messagesTree'] ?? conversation['messages'])
    .map((message) => ({ message: toFields(message), parent: '' }))
    .reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { message } = next
    const id = toText(message['messageId']) || `message-${nodes.length}`
    const parentId = next.parent || toText(message['parentMessageId']) || undefined
    // messages that were new when they were exported have no time
    const atMs = toTimeMs(message['createdAt']) ?? times.get(parentId ?? '')
    if (atMs !== undefined) times.set(id, atMs)
    nodes.push({ id, parentId, read: (documents) => readMessage(message, atMs, documents, leftOut) })
    for (const child of toList(message['children']).toReversed())
      pending.push({ message: toFields(child), parent: id })
  }
  return {
    sourceId: toText(conversation['conversationId']),
    title: toText(conversation['title']),
    createdMs: undefined,
    updatedMs: undefined,
    isArchived: false,
    nodes,
    currentId: undefined,
  }
}

/** What the parts of a message add up to. */
interface MessageDraft {
  readonly texts: string[]
  readonly thoughts: string[]
  readonly files: FileReference[]
}

function readMessage(
  message: Fields,
  atMs: number | undefined,
  before: Documents | undefined,
  leftOut: LeftOutCounter,
): ReturnType<MessageNode['read']> {
  const isUser = message['isCreatedByUser'] === true
  const draft: MessageDraft = {
    texts: [],
    thoughts: [],
    files: toList(message['files']).map(toFields).flatMap(toFile),
  }
  const { texts, thoughts, files } = draft
  for (const part of toList(message['content']).map(toFields)) readPart(part, draft, leftOut)
  if (texts.every((text) => text.trim() === '')) texts.push(toText(message['text']))
  const { sources, cite } = readSources(message)
  const parts = isUser ? texts : texts.flatMap((text) => splitArtifacts(readThinking(cite(text), thoughts)))
  let documents = before
  for (const part of parts) if (typeof part !== 'string') documents = { newest: part, before: documents }
  const thought = thoughts.filter((one) => one !== '').join('\n\n')
  const ended = isUser ? undefined : readEnd(message)
  if (parts.every((part) => part === '') && files.length === 0 && thought === '' && !ended) return {}
  return {
    documents,
    content: {
      role: isUser ? 'user' : 'assistant',
      parts,
      files,
      atMs,
      sources,
      ...(thought !== '' && { reasoning: { text: thought, durationMs: 0 } }),
      ended,
    },
  }
}

function readPart(part: Fields, { texts, thoughts, files }: MessageDraft, leftOut: LeftOutCounter): void {
  const type = toText(part['type'])
  const value = part[type]
  if (type === 'text' || type === 'error') texts.push(readValue(value))
  else if (type === 'think') thoughts.push(readValue(value).trim())
  else if (type === 'tool_call') {
    const call = toFields(value)
    const name = toText(call['name']) || toText(toFields(call['function'])['name']) || toText(call['type'])
    const kind = getOwn(callKinds, name)
    if (kind) leftOut.add(kind)
    else leftOut.add('toolCalls', { name })
  } else if (type === 'image_file') files.push(...toFile(toFields(value)))
  else if (/audio|video/.test(type)) leftOut.add('recordings')
  else if (type !== '' && !ignoredTypes.has(type)) leftOut.add('parts', { name: type })
}

/** A text, which assistants have in an object. */
const readValue = (value: unknown): string => toText(value) || toText(toFields(value)['value'])

function toFile(file: Fields): FileReference[] {
  const name = toText(file['filename']) || toBaseName(toText(file['filepath']))
  const id = toText(file['file_id']) || name
  return id === '' ? [] : [{ id, name }]
}

function readEnd({ error, unfinished, finish_reason: reason }: Fields): MessageContent['ended'] {
  if (error === true) return 'failed'
  if (reason === 'incomplete' || reason === 'length' || reason === 'max_tokens') return 'incomplete'
  return unfinished === true ? 'stopped' : undefined
}

/** Takes the thoughts that stand at the beginning of a text. @returns the rest of it */
function readThinking(text: string, thoughts: string[]): string {
  const start = ':::thinking\n'
  const end = '\n:::'
  const endAt = text.startsWith(start) ? text.indexOf(end, start.length) : -1
  if (endAt < 0) return text
  thoughts.push(text.slice(start.length, endAt).trim())
  return text.slice(endAt + end.length)
}

const artifactStart = /^:::artifact\{([^\n]{0,500})\}[ \t]*$/m
const artifactEnd = /^:::[ \t]*$/m

/** The artifacts of a text, which stand between marks, and what is around them. */
function splitArtifacts(text: string): MessagePart[] {
  const [first = '', ...rest] = text.split(artifactStart)
  const parts: MessagePart[] = [first.trim()]
  for (let index = 0; index < rest.length; index += 2) {
    const head = rest[index] ?? ''
    const [body = '', ...behind] = (rest[index + 1] ?? '').split(artifactEnd)
    parts.push(toArtifact(head, body.trim()), behind.join(':::').trim())
  }
  return parts
}

function toArtifact(head: string, body: string): ExportedDocument {
  const read = (name: string) => new RegExp(`\\b${name}="([^"]{0,200})"`).exec(head)?.[1] ?? ''
  const fence = /^`{3,20}([\w+#.-]{0,30})[^`\n]{0,500}\n/.exec(body)
  const content = fence ? body.slice(fence[0].length).replace(/\n`{3,20}$/, '') : body
  const type = read('type')
  const language = /html|mermaid|react/.exec(type)?.[0] ?? ''
  return {
    // without a name it is no state of another one
    key: read('identifier') || read('title') || content,
    name: read('title'),
    language: toLanguage(fence?.[1] || language),
    content,
  }
}

/** The pages that a reply found, and what puts links to them in the place of its marks (`turn0search3`). */
function readSources(message: Fields) {
  const sources: Source[] = []
  const byMark = new Map<string, Source>()
  for (const attachment of toList(message['attachments']).map(toFields)) {
    const webSearch = toFields(attachment['web_search'])
    for (const [kind, list] of [
      ['search', 'organic'],
      ['news', 'topStories'],
    ] as const)
      for (const [index, page] of toList(webSearch[list]).map(toFields).entries()) {
        const source = toSource(toText(page['link']), toText(page['title']))
        if (!source) continue
        if (!sources.some(({ url }) => url === source.url)) sources.push(source)
        byMark.set(`turn${Number(webSearch['turn']) || 0}${kind}${index}`, source)
      }
  }
  const cite = (text: string) =>
    text
      .replaceAll(/[\ue200\ue201\ue203-\ue206]/g, '')
      .replaceAll(/\ue202(turn\d{1,4}[a-z]{1,20}\d{1,4})/g, (_, mark: string, at: number, plain: string) => {
        const source = byMark.get(mark)
        return source ? formatLinks([source], plain.charAt(at - 1)) : ''
      })
      .replaceAll('\ue202', '')
  return { sources, cite }
}
