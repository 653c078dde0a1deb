import { getOwn } from '#shared/get-own.ts'
import type { Source } from '#shared/contracts/chat.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import { readDocumentCall, readTags } from './claude-documents.ts'
import type { LeftOutCounter, LeftOutKind } from './left-out.ts'
import { formatLinks, readFileLinks, toSource } from './message-links.ts'
import {
  findDocument,
  formatDocument,
  type Documents,
  type ExportedDocument,
  type MessagePart,
} from './message-parts.ts'
import { toFields, toList, toProjectId, toText, toTimeMs, type Fields } from './read-values.ts'

const roles = new Map<unknown, 'user' | 'assistant'>([
  ['human', 'user'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/** Beyond it, what follows a position is no word. */
const longestWord = 40
/** Longer texts of attachments become files. */
const maxInlineCharacters = 20_000

/** Blocks that are ignored: a result is read with its call. */
const ignoredTypes = new Set(['token_budget', 'flag', 'tool_result'])
/** Calls that are ignored: they only read, or show files. */
const ignoredCalls = new Set(['present_files', 'view', 'fetch'])
const callKinds: Readonly<Record<string, LeftOutKind>> = {
  web_search: 'webSearches',
  web_fetch: 'webSearches',
  repl: 'codeRuns',
  bash_tool: 'codeRuns',
  bash: 'codeRuns',
  code_execution: 'codeRuns',
}

/** What an export has in the place of a document that it does not have. */
const placeholders =
  /(?:```\n)?(?:This block is not supported on your current device yet\.|Viewing artifacts created via the Analysis Tool web feature preview isn[’']t yet supported on mobile\.)(?:\n```)?/g

/** Reads a conversation of an export of Claude: a list of messages, which in newer exports name their parents. */
export function readClaude(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  const messages = toList(conversation['chat_messages'] ?? conversation['messages']).map(toFields)
  const toId = (message: Fields, index: number) => toText(message['uuid']) || `message-${index}`
  const nodes = messages.map((message, index): MessageNode => {
    const role = roles.get(message['sender'] ?? message['role'])
    const parent = message['parent_message_uuid']
    const before = messages[index - 1]
    return {
      id: toId(message, index),
      // without parents the messages follow each other
      parentId: typeof parent === 'string' ? parent : before && toId(before, index - 1),
      read: (documents) => {
        if (!role) leftOut.add('messages')
        return role ? readMessage(message, role, documents, leftOut) : {}
      },
    }
  })
  const project = toFields(conversation['project'])
  return {
    sourceId: toText(conversation['uuid']) || toText(conversation['id']),
    title: toText(conversation['name']) || toText(conversation['title']),
    createdMs: toTimeMs(conversation['created_at']),
    updatedMs: toTimeMs(conversation['updated_at']),
    isArchived: conversation['is_archived'] === true,
    isPinned: conversation['is_starred'] === true,
    projectId: toProjectId(conversation['project_uuid'] ?? project['uuid']) || undefined,
    nodes,
    currentId: toText(conversation['current_leaf_message_uuid']),
  }
}

/** What blocks of a message add up to. */
interface Collected {
  parts: MessagePart[]
  documents: Documents | undefined
  thoughts: string[]
  durationMs: number
  sources: Source[]
}

function readMessage(
  message: Fields,
  role: 'user' | 'assistant',
  documents: Documents | undefined,
  leftOut: LeftOutCounter,
): ReturnType<MessageNode['read']> {
  const collected: Collected = { parts: [], documents, thoughts: [], durationMs: 0, sources: [] }
  const blocks = toList(message['content']).map(toFields)
  for (const block of blocks) readBlock(block, role, collected, leftOut)
  // old exports have the text alone, also where `content` is a list without texts
  if (!collected.parts.some((part) => part !== ''))
    readText(toText(message['content']) || toText(message['text']), role, collected, {
      leftOut,
      isFallback: blocks.length > 0,
    })
  const { documents: inline, files } = readAttachments(message, leftOut)
  const linkedFiles: FileReference[] = []
  const isKnown = (name: string) =>
    findDocument(collected.documents, (one) => one.name === name) !== undefined
  const parts = [...collected.parts, ...inline].map((part) => {
    if (role === 'user' || typeof part !== 'string') return part
    const linked = readFileLinks(part, isKnown)
    linkedFiles.push(...linked.files)
    return linked.text
  })
  const text = collected.thoughts.filter((thought) => thought !== '').join('\n\n')
  const isEmpty = parts.every((part) => part === '') && files.length === 0 && text === ''
  if (isEmpty) return { documents: collected.documents }
  return {
    documents: collected.documents,
    content: {
      role,
      parts,
      files: [...files, ...linkedFiles],
      atMs: toTimeMs(message['created_at']),
      sources: collected.sources,
      ...(text !== '' && { reasoning: { text, durationMs: collected.durationMs } }),
      ...(message['stop_reason'] === 'user_canceled' && { ended: 'stopped' as const }),
    },
  }
}

function addDocument(collected: Collected, document: ExportedDocument): void {
  collected.documents = { newest: document, before: collected.documents }
}

function readBlock(
  block: Fields,
  role: 'user' | 'assistant',
  collected: Collected,
  leftOut: LeftOutCounter,
): void {
  const type = toText(block['type']) || 'text'
  if (type === 'text') {
    const citations = toList(block['citations']).map(toFields)
    readText(addCitations(toText(block['text']), citations, collected), role, collected, { leftOut })
  } else if (type === 'tool_use') readCall(block, collected, leftOut)
  else if (/thinking/.test(type)) {
    const thought = toText(block['thinking'])
    if (thought === '') leftOut.add('reasoning')
    collected.thoughts.push(thought)
    const tookMs = (toTimeMs(block['stop_timestamp']) ?? 0) - (toTimeMs(block['start_timestamp']) ?? Infinity)
    if (tookMs > 0) collected.durationMs += tookMs
  } else if (!ignoredTypes.has(type)) {
    // voice and unknown kinds: their text is shown
    const text = toText(block['text'])
    const title = toText(block['title'])
      .replace(/[\s*]+/g, ' ')
      .trim()
    if (text !== '' && title !== '') collected.parts.push(`**${title}**`)
    readText(text, role, collected, { leftOut })
    if (/audio|voice/.test(type)) leftOut.add('recordings')
    else if (text === '') leftOut.add('parts', { name: type })
  }
}

function readText(
  text: string,
  role: 'user' | 'assistant',
  collected: Collected,
  { leftOut, isFallback = false }: { leftOut: LeftOutCounter; isFallback?: boolean },
): void {
  if (role === 'user') {
    collected.parts.push(text)
    return
  }
  const readableText = text.replace(placeholders, () => {
    // a call beside it has the document
    if (!isFallback) leftOut.add('missingDocuments')
    return ''
  })
  const { parts, thoughts, documents } = readTags(readableText)
  collected.parts.push(...parts)
  collected.thoughts.push(...thoughts)
  for (const document of documents) addDocument(collected, document)
}

function readCall(block: Fields, collected: Collected, leftOut: LeftOutCounter): void {
  const name = toText(block['name'])
  const input = toFields(block['input'])
  for (const citation of toList(input['md_citations']).map(toFields)) addSource(citation, collected)
  const document = readDocumentCall(name, input, collected.documents, leftOut)
  if (document && document !== 'unchanged') {
    addDocument(collected, document)
    collected.parts.push(document)
  } else if (!document && !ignoredCalls.has(name)) {
    const kind = getOwn(callKinds, name)
    if (kind) leftOut.add(kind)
    else leftOut.add('toolCalls', { name })
  }
}

function addSource(citation: Fields, { sources }: Pick<Collected, 'sources'>): Source | undefined {
  const url = toText(citation['url']) || toText(toFields(citation['details'])['url'])
  const source = toSource(url, toText(citation['title']))
  if (source && !sources.some((one) => one.url === source.url)) sources.push(source)
  return source
}

/** Puts links behind the passages that cite. Their positions count characters, or are missing: then the links stand at the end. */
function addCitations(text: string, citations: readonly Fields[], collected: Collected): string {
  const citedSources = citations.flatMap((citation) => {
    const source = addSource(citation, collected)
    return source ? [{ source, end: toPosition(text, citation['end_index']) }] : []
  })
  if (citedSources.length === 0) return text
  const byEnd = Map.groupBy(citedSources, ({ end }) => end)
  let linkedText = ''
  let at = 0
  for (const [end, cited] of [...byEnd].sort(([a], [b]) => a - b)) {
    const passage = text.slice(at, end)
    const words = passage.trimEnd()
    const cites = [...new Map(cited.map(({ source }) => [source.url, source])).values()]
    linkedText += words + formatLinks(cites) + passage.slice(words.length)
    at = end
  }
  return linkedText + text.slice(at)
}

/** The end of the word at a position, so that no link stands inside of one. Scripts without spaces have the position itself. */
function toPosition(text: string, index: unknown): number {
  if (typeof index !== 'number' || !Number.isInteger(index) || index <= 0 || index > text.length)
    return text.length
  if (/[\s.,;:!?)\]]/.test(text.charAt(index - 1))) return index
  const ahead = text.slice(index, index + longestWord)
  const end = ahead.search(/[\s.,;:!?)\]]/)
  return index + (end >= 0 ? end : ahead.length < longestWord ? ahead.length : 0)
}

/** Attachments with their text, and files, of which most exports have only the names. */
function readAttachments(message: Fields, leftOut: LeftOutCounter) {
  const documents: string[] = []
  const files: FileReference[] = []
  const names = new Set<string>()
  for (const [index, attachment] of toList(message['attachments']).map(toFields).entries()) {
    const name = toText(attachment['file_name'])
    const text = toText(attachment['extracted_content'])
    if (name !== '') names.add(name)
    if (text === '') files.push({ id: toText(attachment['id']) || name, name })
    else if (text.length <= maxInlineCharacters) documents.push(formatDocument({ name, content: text }))
    else files.push({ id: `text-${toText(message['uuid'])}-${index}`, name: toTextFileName(name), text })
  }
  for (const file of [...toList(message['files']), ...toList(message['files_v2'])].map(toFields)) {
    const name = toText(file['file_name'])
    const id = toText(file['file_uuid']) || toText(file['uuid']) || name
    if (id === '') leftOut.add('missingFiles')
    else if (!names.has(name)) files.push({ id, name })
  }
  return { documents, files: files.filter(({ id }) => id !== '') }
}

/** The name of a text as a file that the product reads. */
export const toTextFileName = (name: string) =>
  /\.(txt|md|csv|json|log)$/i.test(name) ? name : `${name || 'pasted'}.txt`
