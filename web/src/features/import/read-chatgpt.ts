import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter } from './left-out.ts'
import { formatDocument, toFields, toList, toText, toTimeMs, type Fields } from './read-values.ts'

/** What the model and the service tell each other; nobody saw it. */
const hiddenTypes = new Set(['user_editable_context', 'model_editable_context', 'app_pairing_content'])
const reasoningTypes = new Set(['thoughts', 'reasoning_recap'])

/** What the page of ChatGPT shows in another way: private characters around its kind and its values. */
const mark = /\ue200([^\ue200\ue201]*)\ue201/g

/** The words of a mark: the name of a thing (`["city","Rome"]`, or the name alone), or a link. Others, as citations, have none. */
function readMark(content: string): string {
  const [kind, first = '', second = ''] = content.split('\ue202')
  if (kind === 'url') return /^https?:\/\/\S+$/.test(second) ? `[${first}](${second})` : first
  if (kind !== 'entity') return ''
  try {
    const [type, name] = toList(JSON.parse(first))
    return toText(name) || toText(type)
  } catch {
    return first
  }
}

/** Reads a conversation of an export of ChatGPT: a `mapping` of messages to their parents, and the `current_node`. */
export function readChatGpt(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  const entries = Object.entries(toFields(conversation['mapping'])).map(
    ([id, node]) => [id, toFields(node)] as const,
  )
  // old exports name only the children of a message
  const parents = new Map<string, string>()
  for (const [id, node] of entries)
    for (const child of toList(node['children'])) if (typeof child === 'string') parents.set(child, id)
  const nodes = entries.map(([id, node]): MessageNode => {
    const content = readMessage(toFields(node['message']), leftOut)
    const parent = node['parent']
    return {
      id,
      parentId: parent === undefined ? parents.get(id) : toText(parent),
      ...(content && { content }),
    }
  })
  return {
    sourceId: toText(conversation['conversation_id']) || toText(conversation['id']),
    title: toText(conversation['title']),
    createdMs: toTimeMs(conversation['create_time']),
    updatedMs: toTimeMs(conversation['update_time']),
    isArchived: conversation['is_archived'] === true,
    nodes,
    currentId: toText(conversation['current_node']),
  }
}

function readMessage(message: Fields, leftOut: LeftOutCounter): MessageNode['content'] {
  const content = toFields(message['content'])
  const metadata = toFields(message['metadata'])
  const role = toFields(message['author'])['role']
  const type = toText(content['content_type'])
  if (role === 'system' || metadata['is_visually_hidden_from_conversation'] === true || hiddenTypes.has(type))
    return undefined
  const { text, files } = readParts(content, type, leftOut)
  const atMs = toTimeMs(message['create_time'])
  if (role === 'user') {
    const attached = toList(metadata['attachments']).map(toFields).flatMap(toFileReference)
    const all = [...attached, ...files.filter(({ id }) => !attached.some((one) => one.id === id))]
    return text === '' && all.length === 0 ? undefined : { role, text, files: all, atMs }
  }
  if (role === 'tool') {
    // pictures that a tool has made are part of the reply
    if (files.length > 0) return { role: 'assistant', text: '', files, atMs }
    leftOut.add('toolResults')
    return undefined
  }
  if (role !== 'assistant') return undefined
  const recipient = toText(message['recipient']) || 'all'
  if (reasoningTypes.has(type)) {
    leftOut.add('reasoning')
    return undefined
  }
  if (recipient !== 'all') {
    const document = readCanvas(recipient, content)
    if (document === undefined) leftOut.add('toolCalls')
    return document === undefined ? undefined : { role, text: document, files, atMs }
  }
  const shown = type === 'code' && text !== '' ? formatDocument('', text) : text
  return shown === '' && files.length === 0 ? undefined : { role, text: shown, files, atMs }
}

function readParts(content: Fields, type: string, leftOut: LeftOutCounter) {
  const texts: string[] = []
  const files: FileReference[] = []
  for (const part of toList(content['parts'])) {
    if (typeof part === 'string') texts.push(part)
    else {
      const fields = toFields(part)
      const partType = toText(fields['content_type'])
      if (partType === 'image_asset_pointer') files.push(...toPicture(fields))
      else if (partType === 'audio_transcription') texts.push(toText(fields['text']))
      else if (/audio|video/.test(partType)) leftOut.add('recordings')
      else if (typeof fields['text'] === 'string') texts.push(fields['text'])
      else leftOut.add(`part ${partType || 'unknown'}`)
    }
  }
  if (texts.length === 0) texts.push(toText(content['text']) || toText(content['result']))
  const joined = texts.filter(Boolean).join('\n')
  const text = joined.replace(mark, (_, content: string) => readMark(content)).trim()
  if (text === '' && files.length === 0 && !['text', 'multimodal_text', 'code', ''].includes(type))
    if (!reasoningTypes.has(type)) leftOut.add(`part ${type}`)
  return { text, files }
}

/** `file-service://file-abc`, or `sediment://file_abc#page` */
function toPicture(part: Fields): FileReference[] {
  const id = /^[a-z-]+:\/\/([\w-]{1,200})/i.exec(toText(part['asset_pointer']))?.[1]
  return id === undefined ? [] : [{ id, name: '' }]
}

function toFileReference(attachment: Fields): FileReference[] {
  const id = toText(attachment['id'])
  return id === '' ? [] : [{ id, name: toText(attachment['name']) }]
}

/** The document that a call of the canvas creates. */
function readCanvas(recipient: string, content: Fields): string | undefined {
  if (recipient !== 'canmore.create_textdoc') return undefined
  try {
    const source = toText(content['text']) || toText(toList(content['parts'])[0])
    const { name, content: text } = toFields(JSON.parse(source))
    return typeof text === 'string' ? formatDocument(toText(name), text) : undefined
  } catch {
    // no JSON: the call is counted
    return undefined
  }
}
