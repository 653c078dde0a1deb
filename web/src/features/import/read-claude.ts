import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter } from './left-out.ts'
import { formatDocument, toFields, toList, toText, toTimeMs, type Fields } from './read-values.ts'

const roles = new Map<unknown, 'user' | 'assistant'>([
  ['human', 'user'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/** Longer texts of attachments become files. */
const maxInlineCharacters = 20_000

/** Blocks that only belong to others. */
const silentTypes = new Set(['token_budget', 'flag'])

/** Reads a conversation of an export of Claude: a list of messages, which in newer exports name their parents. */
export function readClaude(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  const messages = toList(conversation['chat_messages'] ?? conversation['messages']).map(toFields)
  const toId = (message: Fields, index: number) => toText(message['uuid']) || `message-${index}`
  const nodes = messages.map((message, index): MessageNode => {
    const role = roles.get(message['sender'] ?? message['role'])
    if (!role) leftOut.add('messages')
    const content = role && readMessage(message, role, leftOut)
    const parent = message['parent_message_uuid']
    const before = messages[index - 1]
    return {
      id: toId(message, index),
      // without parents the messages follow each other
      parentId: typeof parent === 'string' ? parent : before && toId(before, index - 1),
      ...(content && { content }),
    }
  })
  return {
    sourceId: toText(conversation['uuid']) || toText(conversation['id']),
    title: toText(conversation['name']) || toText(conversation['title']),
    createdMs: toTimeMs(conversation['created_at']),
    updatedMs: toTimeMs(conversation['updated_at']),
    isArchived: conversation['is_archived'] === true,
    nodes,
    currentId: toText(conversation['current_leaf_message_uuid']),
  }
}

function readMessage(
  message: Fields,
  role: 'user' | 'assistant',
  leftOut: LeftOutCounter,
): MessageNode['content'] {
  const blocks = toList(message['content']).map(toFields)
  const texts = blocks.map((block) => readBlock(block, leftOut)).filter(Boolean)
  // old exports have the text alone, also where `content` is a list without texts
  if (texts.length === 0) texts.push(toText(message['content']) || toText(message['text']))
  const { documents, files } = readAttachments(message, leftOut)
  const text = [...texts, ...documents].join('\n\n').trim()
  if (text === '' && files.length === 0) return undefined
  return { role, text, files, atMs: toTimeMs(message['created_at']) }
}

function readBlock(block: Fields, leftOut: LeftOutCounter): string {
  const type = toText(block['type']) || 'text'
  if (type === 'text') return toText(block['text'])
  if (type === 'tool_use') {
    const document = readArtifact(toFields(block['input']))
    if (document === undefined) leftOut.add('toolCalls')
    return document ?? ''
  }
  if (type === 'tool_result') leftOut.add('toolResults')
  else if (/thinking/.test(type)) leftOut.add('reasoning')
  else if (/audio|voice/.test(type)) leftOut.add('recordings')
  else if (!silentTypes.has(type)) leftOut.add(`part ${type}`)
  return ''
}

/** The document that a call creates: an artifact, or a file. */
function readArtifact(input: Fields): string | undefined {
  const content = input['content'] ?? input['file_text']
  const name = toText(input['title']) || toText(input['path'])
  return typeof content === 'string' && name !== '' ? formatDocument(name, content) : undefined
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
    else if (text.length <= maxInlineCharacters) documents.push(formatDocument(name, text))
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

const toTextFileName = (name: string) =>
  /\.(txt|md|csv|json|log)$/i.test(name) ? name : `${name || 'pasted'}.txt`
