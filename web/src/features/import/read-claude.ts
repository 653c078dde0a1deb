import { getOwn } from '#shared/get-own.ts'
import type { Source } from '#shared/contracts/chat.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import { addCitations, addSource } from './claude-citations.ts'
import type { LeftOutCounter, LeftOutKind } from './left-out.ts'
import { readFileLinks } from './message-links.ts'
import {
  findDocument,
  formatDocument,
  type Documents,
  type ExportedDocument,
  type MessagePart,
} from './message-parts.ts'
import {
  toFields,
  toLibraryId,
  toList,
  toText,
  toTextFileName,
  toTimeMs,
  type Fields,
  toBaseName,
} from './read-values.ts'
import { findLanguage, toLanguage } from './code-languages.ts'

const roles = new Map<unknown, 'user' | 'assistant'>([
  ['human', 'user'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/** Longer texts of attachments become files: what the user wrote would be lost below them. */
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
  const sourceId = toText(conversation['uuid']) || toText(conversation['id'])
  const toId = (message: Fields, index: number) => toText(message['uuid']) || `${sourceId} ${index}`
  const nodes = messages.map((message, index): MessageNode => {
    const role = roles.get(message['sender'] ?? message['role'])
    const parent = message['parent_message_uuid']
    const before = messages[index - 1]
    const id = toId(message, index)
    return {
      id,
      // without parents the messages follow each other
      parentId: typeof parent === 'string' ? parent : before && toId(before, index - 1),
      read: (documents) => {
        if (!role) leftOut.add('messages')
        return role ? readMessage(message, { id, role, documents, leftOut }) : {}
      },
    }
  })
  const project = toFields(conversation['project'])
  return {
    sourceId,
    title: toText(conversation['name']) || toText(conversation['title']),
    createdMs: toTimeMs(conversation['created_at']),
    updatedMs: toTimeMs(conversation['updated_at']),
    isArchived: conversation['is_archived'] === true,
    isPinned: conversation['is_starred'] === true,
    projectId: toLibraryId(conversation['project_uuid'] ?? project['uuid']) || undefined,
    nodes,
    currentId: toText(conversation['current_leaf_message_uuid']),
  }
}

/** What blocks of a message add up to. */
interface MessageDraft {
  parts: MessagePart[]
  documents: Documents | undefined
  thoughts: string[]
  durationMs: number
  sources: Source[]
}

function readMessage(
  message: Fields,
  {
    id,
    role,
    documents,
    leftOut,
  }: {
    id: string
    role: 'user' | 'assistant'
    documents: Documents | undefined
    leftOut: LeftOutCounter
  },
): ReturnType<MessageNode['read']> {
  const draft: MessageDraft = { parts: [], documents, thoughts: [], durationMs: 0, sources: [] }
  const blocks = toList(message['content']).map(toFields)
  for (const block of blocks) readBlock(block, role, draft, leftOut)
  // old exports have the text alone, also where `content` is a list without texts
  if (!draft.parts.some((part) => part !== ''))
    readText(toText(message['content']) || toText(message['text']), role, draft, {
      leftOut,
      isFallback: blocks.length > 0,
    })
  const { documents: inline, files } = readAttachments(message, id, leftOut)
  const linkedFiles: FileReference[] = []
  const isKnown = (name: string) => findDocument(draft.documents, (one) => one.name === name) !== undefined
  const parts = [...draft.parts, ...inline].map((part) => {
    if (role === 'user' || typeof part !== 'string') return part
    const linked = readFileLinks(part, isKnown)
    linkedFiles.push(...linked.files)
    return linked.text
  })
  const text = draft.thoughts.filter((thought) => thought !== '').join('\n\n')
  const isEmpty = parts.every((part) => part === '') && files.length === 0 && text === ''
  if (isEmpty) return { documents: draft.documents }
  return {
    documents: draft.documents,
    content: {
      role,
      parts,
      files: [...files, ...linkedFiles],
      atMs: toTimeMs(message['created_at']),
      sources: draft.sources,
      ...(text !== '' && { reasoning: { text, durationMs: draft.durationMs } }),
      ...(message['stop_reason'] === 'user_canceled' && { ended: 'stopped' as const }),
    },
  }
}

function addDocument(draft: MessageDraft, document: ExportedDocument): void {
  draft.documents = { newest: document, before: draft.documents }
}

function readBlock(
  block: Fields,
  role: 'user' | 'assistant',
  draft: MessageDraft,
  leftOut: LeftOutCounter,
): void {
  const type = toText(block['type']) || 'text'
  if (type === 'text') {
    const citations = toList(block['citations']).map(toFields)
    readText(addCitations(toText(block['text']), citations, draft.sources), role, draft, { leftOut })
  } else if (type === 'tool_use') readCall(block, draft, leftOut)
  else if (/thinking/.test(type)) {
    const thought = toText(block['thinking'])
    if (thought === '') leftOut.add('reasoning')
    draft.thoughts.push(thought)
    const tookMs = (toTimeMs(block['stop_timestamp']) ?? 0) - (toTimeMs(block['start_timestamp']) ?? Infinity)
    if (tookMs > 0) draft.durationMs += tookMs
  } else if (!ignoredTypes.has(type)) {
    // voice and unknown kinds: their text is shown
    const text = toText(block['text'])
    const title = toText(block['title'])
      .replace(/[\s*]+/g, ' ')
      .trim()
    if (text !== '' && title !== '') draft.parts.push(`**${title}**`)
    readText(text, role, draft, { leftOut })
    if (/audio|voice/.test(type)) leftOut.add('recordings')
    else if (text === '') leftOut.add('parts', { name: type })
  }
}

function readText(
  text: string,
  role: 'user' | 'assistant',
  draft: MessageDraft,
  { leftOut, isFallback = false }: { leftOut: LeftOutCounter; isFallback?: boolean },
): void {
  if (role === 'user') {
    draft.parts.push(text)
    return
  }
  const readableText = text.replace(placeholders, () => {
    // a call beside it has the document
    if (!isFallback) leftOut.add('missingDocuments')
    return ''
  })
  const { parts, thoughts, documents } = readTags(readableText)
  draft.parts.push(...parts)
  draft.thoughts.push(...thoughts)
  for (const document of documents) addDocument(draft, document)
}

function readCall(block: Fields, draft: MessageDraft, leftOut: LeftOutCounter): void {
  const name = toText(block['name'])
  const input = toFields(block['input'])
  for (const citation of toList(input['md_citations']).map(toFields)) addSource(citation, draft.sources)
  const document = readDocumentCall(name, input, draft.documents, leftOut)
  if (document && document !== 'unchanged') {
    addDocument(draft, document)
    draft.parts.push(document)
  } else if (!document && !ignoredCalls.has(name)) {
    const kind = getOwn(callKinds, name)
    if (kind) leftOut.add(kind)
    else leftOut.add('toolCalls', { name })
  }
}

/** Attachments with their text, and files, of which most exports have only the names. */
function readAttachments(message: Fields, messageId: string, leftOut: LeftOutCounter) {
  const documents: string[] = []
  const files: FileReference[] = []
  const names = new Set<string>()
  for (const [index, attachment] of toList(message['attachments']).map(toFields).entries()) {
    const name = toText(attachment['file_name'])
    const text = toText(attachment['extracted_content'])
    if (name !== '') names.add(name)
    if (text === '') files.push({ id: toText(attachment['id']) || name, name })
    else if (text.length <= maxInlineCharacters) documents.push(formatDocument({ name, content: text }))
    else files.push({ id: `text-${messageId}-${index}`, name: toTextFileName(name), text })
  }
  for (const file of [...toList(message['files']), ...toList(message['files_v2'])].map(toFields)) {
    const name = toText(file['file_name'])
    const id = toText(file['file_uuid']) || toText(file['uuid']) || name
    if (id === '') leftOut.add('missingFiles')
    else if (!names.has(name)) files.push({ id, name })
  }
  return { documents, files: files.filter(({ id }) => id !== '') }
}

const languagesByType: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/markdown': 'markdown',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
}

const findDocumentLanguage = (type: string, language: string) =>
  getOwn(languagesByType, type) ?? toLanguage(language)

/**
 * The document that a call creates or changes: an artifact, or a file.
 * @returns `unchanged` for a call that changes an artifact or a file in no way that can be repeated; undefined if the call is another one
 */
function readDocumentCall(
  name: string,
  input: Fields,
  documents: Documents | undefined,
  leftOut: LeftOutCounter,
): ExportedDocument | 'unchanged' | undefined {
  const path = toText(input['path'])
  const isArtifact = name === 'artifacts'
  const id = isArtifact ? toText(input['id']) : path
  const key = toKey(isArtifact ? 'artifact' : 'file', id)
  const content = input['content'] ?? input['file_text']
  const before = findDocument(documents, (one) => one.key === key)
  const title = toText(input['title']) || toBaseName(path)
  if (typeof content === 'string' && (title !== '' || isArtifact)) {
    const language = isArtifact
      ? findDocumentLanguage(toText(input['type']), toText(input['language']))
      : findLanguage(path)
    return {
      key: toKey(isArtifact ? 'artifact' : 'file', id || content),
      name: title || (before?.name ?? ''),
      language: language || (before?.language ?? ''),
      content,
    }
  }
  const oldText = input['old_str']
  if (typeof oldText !== 'string' || (!isArtifact && path === '')) return isArtifact ? 'unchanged' : undefined
  if (before === undefined || !before.content.includes(oldText)) {
    leftOut.add('documentChanges')
    return 'unchanged'
  }
  const newText = toText(input['new_str'])
  return { ...before, content: before.content.replace(oldText, () => newText) }
}

/** The key of a document. @param id its id or path; its content if it has none, so that it is no state of another one */
const toKey = (kind: 'artifact' | 'file', id: string) => `${kind} ${id}`

/** A start tag with its attributes, as texts of 2024 have them. The lengths are limited, so that untrusted text takes no endless time. */
const startTag = /<(antThinking|antArtifact)\b([^<>]{0,1000})>/g
const attribute = /([a-z]{1,20})="([^"]{0,300})"/g

/** Splits a text of 2024, in which thoughts and artifacts stand as tags, into its parts. */
function readTags(text: string): {
  parts: MessagePart[]
  thoughts: string[]
  documents: ExportedDocument[]
} {
  const parts: MessagePart[] = []
  const thoughts: string[] = []
  const documents: ExportedDocument[] = []
  let at = 0
  for (const match of text.matchAll(startTag)) {
    const [whole, tag = '', attributes = ''] = match
    if (match.index < at) continue
    const start = match.index + whole.length
    const endTag = `</${tag}>`
    const end = text.indexOf(endTag, start)
    const inner = text.slice(start, end === -1 ? undefined : end)
    parts.push(text.slice(at, match.index).trim())
    at = end === -1 ? text.length : end + endTag.length
    if (tag === 'antThinking') {
      thoughts.push(inner.trim())
      continue
    }
    const document = toArtifact(attributes, inner)
    documents.push(document)
    parts.push(document)
  }
  parts.push(at === 0 ? text : text.slice(at).trim())
  return { parts, thoughts, documents }
}

function toArtifact(attributes: string, inner: string): ExportedDocument {
  const fields = new Map(
    Array.from(attributes.matchAll(attribute), ([, name = '', value = '']) => [name, value]),
  )
  return {
    key: toKey('artifact', fields.get('identifier') || inner),
    name: fields.get('title') ?? '',
    language: findDocumentLanguage(fields.get('type') ?? '', fields.get('language') ?? ''),
    content: inner.replace(/^\n/, ''),
  }
}
