import type { Source } from '#shared/contracts/chat.ts'
import type { FileReference, MessageNode, MessageTree } from './build-conversation.ts'
import type { LeftOutCounter, LeftOutKind } from './left-out.ts'
import { toSource } from './message-links.ts'
import type { MessageContent } from './message-parts.ts'
import { toBaseName, toFields, toList, toText, toTextFileName, toTimeMs, type Fields } from './read-values.ts'

const callKinds: readonly [RegExp, LeftOutKind][] = [
  [/code_interpreter|execute_code/, 'codeRuns'],
  [/web_search|fetch_url/, 'webSearches'],
]

/** Whether a conversation is of an export of Open WebUI: a row with its `chat`, or what is in it alone. */
export const isOpenWebUi = (row: Fields): boolean => {
  const chat = toFields(row['chat'] ?? row)
  return (
    typeof toFields(chat['history'])['messages'] === 'object' ||
    Array.isArray(toFields(row['chat'])['messages'])
  )
}

/** Reads a conversation of an export of Open WebUI: messages by their ids with their parents, and the `currentId`. */
export function readOpenWebUi(row: Fields, leftOut: LeftOutCounter): MessageTree {
  const chat = toFields(row['chat'] ?? row)
  const history = toFields(chat['history'])
  const byId = Object.entries(toFields(history['messages']))
  const list = toList(chat['messages']).map((message, index) => [`message-${index}`, message] as const)
  const entries = (byId.length > 0 ? byId : list).map(([id, message]) => [id, toFields(message)] as const)
  const messageIds = new Set(entries.map(([id]) => id))
  const parents = new Map<string, string>()
  for (const [id, message] of entries)
    for (const child of toList(message['childrenIds'])) if (typeof child === 'string') parents.set(child, id)
  const findParent = (index: number, id: string, message: Fields) => {
    const named = toText(message['parentId']) || (parents.get(id) ?? '')
    // a reply whose link was lost, and each message of a list, follows the one before it
    const isLinked = messageIds.has(named) || (byId.length > 0 && readRole(message) === 'user')
    return isLinked ? named : entries[index - 1]?.[0]
  }
  const sourceId = toText(row['id']) || toText(chat['id'])
  if (toText(row['folder_id']) !== '') leftOut.add('projectPlaces')
  for (const tag of toList(toFields(row['meta'])['tags'])) leftOut.add('tags', { name: toText(tag) })
  return {
    sourceId,
    title: toText(row['title']) || toText(chat['title']),
    createdMs: toTimeMs(row['created_at'] ?? chat['timestamp']),
    updatedMs: toTimeMs(row['updated_at']),
    isArchived: row['archived'] === true,
    isPinned: row['pinned'] === true,
    nodes: entries.map(([id, message], index): MessageNode => ({
      id,
      parentId: findParent(index, id, message),
      // in a list its id is a position, which other conversations have too
      read: () => readMessage(byId.length > 0 ? id : `${sourceId} ${id}`, message, leftOut),
    })),
    currentId: toText(history['currentId']),
  }
}

/** Replies that broke off before they were stored whole have a model and no role. */
function readRole(message: Fields): 'user' | 'assistant' | undefined {
  const role = message['role'] ?? (toText(message['model']) === '' ? 'user' : 'assistant')
  return role === 'user' || role === 'assistant' ? role : undefined
}

function readMessage(id: string, message: Fields, leftOut: LeftOutCounter): ReturnType<MessageNode['read']> {
  const role = readRole(message)
  if (!role) return {}
  const { texts, reasoning } = readTexts(message, role, leftOut)
  const files = readFiles(id, message, leftOut)
  const isEmpty = texts.every((text) => text.trim() === '') && files.length === 0 && reasoning.text === ''
  const ended = role === 'user' ? undefined : readEnd(message)
  if (isEmpty && !ended) return {}
  return {
    content: {
      role,
      parts: texts,
      files,
      atMs: toTimeMs(message['timestamp']),
      sources: toList(message['sources'] ?? message['citations'])
        .map(toFields)
        .flatMap(readSource),
      ...(reasoning.text !== '' && { reasoning }),
      ended,
    },
  }
}

/** Texts and thoughts of a message: newer releases have them in `output`, older ones in `content`. */
function readTexts(message: Fields, role: 'user' | 'assistant', leftOut: LeftOutCounter) {
  const reasoning = { text: '', durationMs: 0 }
  const think = (text: string, seconds: unknown) => {
    reasoning.text = [reasoning.text, text.trim()].filter((one) => one !== '').join('\n\n')
    reasoning.durationMs += (Number(seconds) || 0) * 1_000
  }
  const texts: string[] = []
  for (const item of toList(message['output']).map(toFields)) {
    const type = toText(item['type'])
    if (type === 'message') texts.push(joinTexts(item['content']))
    else if (type === 'reasoning')
      think(joinTexts(item['summary']) || joinTexts(item['content']), item['duration'])
    else if (/_call$|code_interpreter$/.test(type)) addCall(toText(item['name']) || type, leftOut)
  }
  if (texts.every((text) => text.trim() === '')) {
    const content = toText(message['content']) || joinTexts(message['content'])
    texts.push(
      role === 'user' ? content : readDetails(content, { think, leftOut, isKnown: texts.length > 0 }),
    )
  }
  return { texts, reasoning }
}

/** Pictures in the content of a message, and its files. */
function readFiles(id: string, message: Fields, leftOut: LeftOutCounter): FileReference[] {
  const parts = [...toList(message['content']).map(toFields).entries()]
  const files = [...toList(message['files']).map(toFields).entries()]
  return [
    ...parts.flatMap(([index, part]) =>
      part['type'] === 'image_url' ? toPicture(`${id}-${index}`, toFields(part['image_url']), leftOut) : [],
    ),
    ...files.flatMap(([index, file]) =>
      file['type'] === 'image' ? toPicture(`${id}-file-${index}`, file, leftOut) : toDocument(file),
    ),
  ]
}

function readEnd({ error, done }: Fields): MessageContent['ended'] {
  if (error !== undefined && error !== null && error !== false) return 'failed'
  return done === false ? 'stopped' : undefined
}

function addCall(name: string, leftOut: LeftOutCounter): void {
  const kind = callKinds.find(([pattern]) => pattern.test(name))?.[1]
  if (kind) leftOut.add(kind)
  else leftOut.add('toolCalls', { name })
}

const joinTexts = (parts: unknown): string =>
  toList(parts)
    .map((part) => toText(toFields(part)['text']))
    .filter((text) => text !== '')
    .join('\n\n')

/** The attributes of a call have its result, which may be long. */
const openingTag = /<details type="(reasoning|tool_calls|code_interpreter)"([^<>]*)>/g
const closingTag = '</details>'

interface DetailsOptions {
  /** called with each thought, and the seconds that it took as the export has them */
  think: (text: string, seconds: unknown) => void
  leftOut: LeftOutCounter
  /** whether thoughts and calls were read elsewhere, and are only removed from the text */
  isKnown: boolean
}

/** The text of a reply. Thoughts and calls stand in it as `<details>` of their types. */
function readDetails(text: string, { think, leftOut, isKnown }: DetailsOptions): string {
  let visibleText = ''
  let at = 0
  for (const { 0: tag, 1: type, 2: attributes = '', index } of text.matchAll(openingTag)) {
    const end = text.indexOf(closingTag, index)
    if (index < at || end < 0) continue
    const body = text.slice(index + tag.length, end)
    visibleText += text.slice(at, index)
    at = end + closingTag.length
    if (isKnown) continue
    if (type === 'reasoning')
      think(
        decodeEntities(
          body.replace(/^\s*<summary>[^<]{0,1000}<\/summary>/, '').replaceAll(/^[ \t]*(?:>|&gt;) ?/gm, ''),
        ),
        /duration="(\d{1,6})"/.exec(attributes)?.[1],
      )
    else addCall(/name="([^"]{1,200})"/.exec(attributes)?.[1] ?? type ?? '', leftOut)
  }
  return (visibleText + text.slice(at)).trim()
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  amp: '&',
}
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#x27|#39|amp);/g, (whole, name: string) => entities[name] ?? whole)

/** A picture that stands in the export itself; others are only named. */
function toPicture(id: string, { url, name }: Fields, leftOut: LeftOutCounter): FileReference[] {
  const address = toText(url)
  const data = /^data:image\/([a-z]{1,10})[^,]{0,100};base64,/.exec(address)
  if (!data) return [{ id: toBaseName(address.replace(/\/content$/, '')) || id, name: toText(name) }]
  try {
    const bytes = Uint8Array.from(atob(address.slice(data[0].length)), (character) => character.charCodeAt(0))
    return [{ id, name: `${id}.${data[1]}`, bytes }]
  } catch {
    leftOut.add('missingFiles', { name: toText(name) })
    return []
  }
}

/** A document, of which the export has what was read of it. */
function toDocument(file: Fields): FileReference[] {
  const stored = toFields(file['file'])
  const name = toText(file['name']) || toText(stored['filename'])
  const id = toText(file['id']) || toText(stored['id']) || name
  const text = toText(toFields(stored['data'])['content'])
  return id === '' ? [] : [text === '' ? { id, name } : { id, name: toTextFileName(name), text }]
}

function readSource({ source, metadata }: Fields): Source[] {
  const { url, name } = toFields(source)
  const pages = [
    { url, name },
    ...toList(metadata)
      .map(toFields)
      .map((page) => ({ url: page['url'] ?? page['source'], name: page['title'] ?? page['name'] })),
  ]
  return pages.flatMap((page) => toSource(toText(page.url), toText(page.name)) ?? [])
}
