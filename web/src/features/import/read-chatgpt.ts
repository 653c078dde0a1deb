import { maxReasoningMs } from '#shared/limits.ts'
import { readCanvasCall } from './chatgpt-canvas.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter, LeftOutKind } from './left-out.ts'
import { toLanguage } from './code-languages.ts'
import { readFileLinks, formatLink, formatLinks, toSource } from './message-links.ts'
import { findDocument, formatDocument, type Documents, type MessageContent } from './message-parts.ts'
import { toBaseName, toFields, toList, toText, toTimeMs, type Fields } from './read-values.ts'
import type { Source } from '#shared/contracts/chat.ts'

/** Messages between the model and the service, which no page has shown. */
const hiddenTypes = new Set(['user_editable_context', 'model_editable_context', 'app_pairing_content'])
/** Types whose text is shown where they stand. */
const textTypes = new Set(['text', 'multimodal_text', 'code', ''])

/**
 * As what calls count that are left out, by their recipients. Those that are undefined do not: the pictures of `dalle.text2im` come with its
 * result, `bio` has changed the memory, and `canmore` a document.
 */
const callKinds: readonly [RegExp, LeftOutKind | undefined][] = [
  [/^(?:python|container)/, 'codeRuns'],
  [/^(?:web|browser|search)/, 'webSearches'],
  [/^(?:dalle|image_gen|t2uay3k|bio$|canmore)/, undefined],
]

/** Reads a conversation of an export of ChatGPT: a `mapping` of messages to their parents, and the `current_node`. */
export function readChatGpt(conversation: Fields, leftOut: LeftOutCounter): MessageTree {
  const entries = Object.entries(toFields(conversation['mapping'])).map(
    ([id, node]) => [id, toFields(node)] as const,
  )
  // old exports name only the children of a message, others leave some of either links out
  const parents = new Map<string, string>()
  for (const [id, node] of entries)
    for (const child of toList(node['children']))
      if (typeof child === 'string' && child !== id) parents.set(child, id)
  const findParent = (id: string, node: Fields) => toText(node['parent']) || parents.get(id)
  /** by the message of their call */
  const results = new Map<string | undefined, Fields>()
  for (const [id, node] of entries) {
    const message = toFields(node['message'])
    if (toFields(message['author'])['role'] === 'tool') results.set(findParent(id, node), message)
  }
  if (
    [conversation['gizmo_id'], conversation['conversation_template_id']].some((id) =>
      toText(id).startsWith('g-p-'),
    )
  )
    leftOut.add('projectPlaces')
  return {
    sourceId: toText(conversation['conversation_id']) || toText(conversation['id']),
    title: toText(conversation['title']),
    createdMs: toTimeMs(conversation['create_time']),
    updatedMs: toTimeMs(conversation['update_time']),
    isArchived: conversation['is_archived'] === true,
    isPinned: conversation['is_starred'] === true || toTimeMs(conversation['pinned_time']) !== undefined,
    nodes: entries.map(([id, node]): MessageNode => ({
      id,
      parentId: findParent(id, node),
      read: (documents) =>
        readMessage(toFields(node['message']), { id, result: results.get(id) ?? {}, documents, leftOut }),
    })),
    currentId: toText(conversation['current_node']),
  }
}

/** What is known around a message. */
interface MessageContext {
  id: string
  result: Fields
  documents: Documents | undefined
  leftOut: LeftOutCounter
}

function readMessage(message: Fields, context: MessageContext): ReturnType<MessageNode['read']> {
  const { leftOut } = context
  const content = toFields(message['content'])
  const metadata = toFields(message['metadata'])
  const role = toFields(message['author'])['role']
  const type = toText(content['content_type'])
  if (role === 'system' || metadata['is_visually_hidden_from_conversation'] === true || hiddenTypes.has(type))
    return {}
  const atMs = toTimeMs(message['create_time'])
  const build: Build = (fields) => ({
    content: { role: 'assistant', parts: [], files: [], atMs, ...fields },
  })
  if (role === 'tool') {
    // pictures that a tool has made are part of the reply; what else it answers, of whatever type, goes with its call
    const files = [...readParts(content, '', leftOut).files, ...readCharts(metadata)]
    return files.length > 0 ? build({ files }) : {}
  }
  if (role === 'user') return readUserMessage(content, metadata, { type, build, leftOut })
  return role === 'assistant' ? readReply(message, { type, build, context }) : {}
}

type Build = (fields: Partial<MessageContent>) => { content: MessageContent }

function readUserMessage(
  content: Fields,
  metadata: Fields,
  { type, build, leftOut }: { type: string; build: Build; leftOut: LeftOutCounter },
): ReturnType<MessageNode['read']> {
  const { text, files } = readTextAndFiles(content, metadata, { type, leftOut })
  const quoted = toText(metadata['targeted_reply']).trim()
  const parts = [quoted === '' ? '' : `> ${quoted.replaceAll('\n', '\n> ')}`, text]
  return text === '' && files.length === 0 ? {} : build({ role: 'user', parts, files })
}

/** A part of a reply: thoughts, a call, or what is shown. */
function readReply(
  message: Fields,
  { type, build, context }: { type: string; build: Build; context: MessageContext },
): ReturnType<MessageNode['read']> {
  const { documents, leftOut } = context
  const content = toFields(message['content'])
  const metadata = toFields(message['metadata'])
  const reasoning = readReasoning(content, type, metadata)
  if (reasoning) return build({ reasoning })
  const recipient = toText(message['recipient']) || 'all'
  if (recipient !== 'all') return readCall(recipient, content, context, build)
  const { text, files } = readTextAndFiles(content, metadata, { type, leftOut })
  const cited = readCitations(text, metadata, leftOut)
  const linked = readFileLinks(
    cited.text,
    (name) => findDocument(documents, (one) => one.name === name) !== undefined,
  )
  const visibleText =
    type === 'code' && text !== ''
      ? formatDocument({ name: '', language: toLanguage(readLanguage(content)), content: text })
      : linked.text.trim()
  const ended = readEnd(message, metadata)
  const isEmpty = visibleText === '' && files.length === 0
  return isEmpty && !ended
    ? {}
    : build({ parts: [visibleText], files: [...files, ...linked.files], sources: cited.sources, ended })
}

/** The text of a message, with its attachments and the pictures in it, each once. */
function readTextAndFiles(
  content: Fields,
  metadata: Fields,
  { type, leftOut }: { type: string; leftOut: LeftOutCounter },
) {
  const { text, files } = readParts(content, type, leftOut)
  const attached = toList(metadata['attachments']).map(toFields).flatMap(toFileReference)
  return { text, files: [...attached, ...files.filter(({ id }) => !attached.some((one) => one.id === id))] }
}

/** @param call the recipient of the message, which is a tool */
function readCall(
  call: string,
  content: Fields,
  { id, result, documents, leftOut }: MessageContext,
  build: Build,
): ReturnType<MessageNode['read']> {
  const document = readCanvasCall({ id, call, content, result }, documents, leftOut)
  if (document && document !== 'unchanged')
    return { ...build({ parts: [document] }), documents: { newest: document, before: documents } }
  const kind = callKinds.find(([pattern]) => pattern.test(call))
  if (!kind) leftOut.add('toolCalls', { name: call })
  else if (kind[1]) leftOut.add(kind[1])
  return {}
}

const readLanguage = (content: Fields) => {
  const language = toText(content['language'])
  return language === 'unknown' ? '' : language
}

/** Whether a reply was stopped or cut. */
function readEnd(message: Fields, metadata: Fields): MessageContent['ended'] {
  const end = toText(toFields(metadata['finish_details'])['type'])
  if (end === 'max_tokens') return 'incomplete'
  return end === 'interrupted' || message['status'] === 'finished_partial_completion' ? 'stopped' : undefined
}

/** The thoughts of a message, or how long they took, which another one says. */
function readReasoning(content: Fields, type: string, metadata: Fields): MessageContent['reasoning'] {
  if (type !== 'thoughts' && type !== 'reasoning_recap') return undefined
  const seconds = Number(metadata['finished_duration_sec'])
  const text = toList(content['thoughts'])
    .map(toFields)
    .map(({ summary, content: words }) => {
      const title = toText(summary).trim()
      return [title === '' ? '' : `**${title}**`, toText(words).trim()]
        .filter((one) => one !== '')
        .join('\n\n')
    })
    .filter((thought) => thought !== '')
    .join('\n\n')
  return {
    text,
    durationMs:
      type === 'reasoning_recap' && seconds > 0 && seconds * 1_000 < maxReasoningMs ? seconds * 1_000 : 0,
  }
}

function readParts(content: Fields, type: string, leftOut: LeftOutCounter) {
  const texts: string[] = []
  const files: FileReference[] = []
  for (const part of toList(content['parts'])) {
    if (typeof part === 'string') texts.push(part)
    else {
      const fields = toFields(part)
      const partType = toText(fields['content_type'])
      if (partType === 'image_asset_pointer') files.push(...toPicture(fields['asset_pointer']))
      else if (partType === 'audio_transcription') texts.push(toText(fields['text']))
      else if (/audio|video/.test(partType)) leftOut.add('recordings')
      else if (typeof fields['text'] === 'string') texts.push(fields['text'])
      else if (part !== null) leftOut.add('parts', { name: partType })
    }
  }
  if (texts.length === 0) texts.push(toText(content['text']) || toText(content['result']))
  const text = texts.filter(Boolean).join('\n').trim()
  if (text === '' && files.length === 0 && !textTypes.has(type)) leftOut.add('parts', { name: type })
  return { text, files }
}

/** `file-service://file-abc`, or `sediment://file_abc#page` */
function toPicture(pointer: unknown): FileReference[] {
  const id = /^[a-z-]+:\/\/([\w-]{1,200})/i.exec(toText(pointer))?.[1]
  return id === undefined ? [] : [{ id, name: '' }]
}

/** The pictures that a program has drawn. */
const readCharts = (metadata: Fields): FileReference[] =>
  toList(toFields(metadata['aggregate_result'])['messages'])
    .map(toFields)
    .flatMap((output) => toPicture(output['image_url']))

function toFileReference(attachment: Fields): FileReference[] {
  const id = toText(attachment['id'])
  return id === '' ? [] : [{ id, name: toBaseName(toText(attachment['name'])) }]
}

/**
 * Marks that ChatGPT shows as citations or links: characters of Unicode's private use area around a kind and its values, or brackets with a
 * dagger. Further private characters mark where a cited passage begins and ends. No mark has another one in it, and its numbers are
 * short, so that untrusted text takes no endless time.
 */
const citationMark =
  /\ue200([^\ue200\ue201]*)\ue201|【(\d{1,9})(?::\d{1,9})?†[^【】\n]{0,200}】|[\ue203-\ue206]/g

/** Texts with their sources, as `content_references` (since 2024) and `citations` (before) name them. */
interface Citations {
  readonly byText: ReadonlyMap<string, readonly Source[]>
  readonly byNumber: ReadonlyMap<string, Source>
  readonly all: readonly Source[]
}

/** The text of a message with links in the place of its marks, and all pages that it cites. */
function readCitations(
  text: string,
  metadata: Fields,
  leftOut: LeftOutCounter,
): { text: string; sources: readonly Source[] } {
  const { byText, byNumber, all } = listCitations(metadata)
  const linkedText = text.replace(citationMark, (whole, content?: string, number?: string, at = 0) => {
    const before = text.charAt(at - 1)
    const sources = byText.get(whole)
    if (sources) return formatLinks(sources, before)
    if (content !== undefined) return readMark(content, leftOut)
    if (number === undefined) return ''
    const source = byNumber.get(number)
    if (!source) leftOut.add('citations')
    return formatLinks(source ? [source] : [], before)
  })
  return { text: linkedText, sources: all }
}

/** The words of a mark: the name of a thing (`["city","Rome"]`, or the name alone), or a link. Others have none. */
function readMark(content: string, leftOut: LeftOutCounter): string {
  const [kind = '', first = '', second = ''] = content.split('\ue202')
  if (kind === 'url') {
    const source = toSource(second, first)
    return source ? formatLink(source) : first
  }
  if (/cite/.test(kind)) leftOut.add('citations')
  if (kind !== 'entity') return ''
  try {
    const [type, name] = toList(JSON.parse(first))
    return toText(name) || toText(type)
  } catch {
    return first
  }
}

function listCitations(metadata: Fields): Citations {
  const byText = new Map<string, Source[]>()
  const byNumber = new Map<string, Source>()
  const all = new Map<string, Source>()
  const add = (sources: readonly Source[]) => {
    for (const source of sources) if (!all.has(source.url)) all.set(source.url, source)
  }
  for (const reference of toList(metadata['content_references']).map(toFields)) {
    const sources = listSources(reference)
    add(sources)
    const matched = toText(reference['matched_text'])
    // some have a space, or the words themselves, which stay
    if (sources.length > 0 && /[\ue200【]/.test(matched)) byText.set(matched, sources)
  }
  for (const citation of toList(metadata['citations']).map(toFields)) {
    const page = toFields(citation['metadata'])
    const source = toSource(toText(page['url']), toText(page['title']))
    if (!source) continue
    add([source])
    const number = toFields(page['extra'])['cited_message_idx']
    if (typeof number === 'number') byNumber.set(String(number), source)
  }
  return { byText, byNumber, all: [...all.values()] }
}

/** The pages of a reference, each once: its items with what supports them, or the addresses alone. */
function listSources(reference: Fields): Source[] {
  const sourcesByUrl = new Map<string, Source>()
  const lists = ['items', 'sources', 'fallback_items', 'images'].flatMap((name) => toList(reference[name]))
  const pages = lists
    .map(toFields)
    .flatMap((page) => [page, ...toList(page['supporting_websites']).map(toFields)])
  for (const page of [...pages, reference]) {
    const source = toSource(toText(page['url']), toText(page['title']) || toText(page['attribution']))
    if (source && !sourcesByUrl.has(source.url)) sourcesByUrl.set(source.url, source)
  }
  for (const url of sourcesByUrl.size > 0 ? [] : toList(reference['safe_urls'])) {
    const source = toSource(toText(url), '')
    if (source) sourcesByUrl.set(source.url, source)
  }
  return [...sourcesByUrl.values()]
}
