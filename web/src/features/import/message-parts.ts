import { getOwn } from '#shared/get-own.ts'
import type { Reasoning, Source } from '#shared/contracts/chat.ts'
import type { ImportedCall } from '#shared/contracts/imports.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { truncate } from '#shared/truncate.ts'
import type { FileReference } from './build-conversation.ts'

/** A document of a conversation as it is after some message: of a canvas, an artifact, or a file that was written. */
export interface ExportedDocument {
  /** the same for all its states */
  readonly key: string
  readonly name: string
  /** as a block of code names it */
  readonly language: string
  readonly content: string
}

/** Text, or the state of a document in its place. */
export type MessagePart = string | ExportedDocument

/** What the readers of exports make of a message. */
export interface MessageContent {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly MessagePart[]
  readonly files: readonly FileReference[]
  readonly atMs: number | undefined
  readonly reasoning?: Reasoning | undefined
  readonly sources?: readonly Source[]
  readonly ended?: Message['ended']
  readonly calls?: readonly ImportedCall[]
}

/** All states of documents up to a message, the newest first. Branches share what is before them. */
export interface Documents {
  readonly newest: ExportedDocument
  readonly before: Documents | undefined
}

/** Further states are not looked at. */
const maxStates = 2_000

/** The newest state of a document, by default of the one that was changed last. */
export function findDocument(
  documents: Documents | undefined,
  isWanted: (document: ExportedDocument) => boolean = () => true,
): ExportedDocument | undefined {
  let stateCount = 0
  for (let at = documents; at && stateCount < maxStates; at = at.before, stateCount += 1)
    if (isWanted(at.newest)) return at.newest
  return undefined
}

/** The text of parts, with the last state of each document in its place. */
export function joinParts(parts: readonly MessagePart[]): string {
  const last = new Map(parts.flatMap((part) => (typeof part === 'string' ? [] : [[part.key, part] as const])))
  return parts
    .flatMap((part) => {
      if (typeof part === 'string') return part
      return last.get(part.key) === part ? formatDocument(part) : []
    })
    .filter((text) => text !== '')
    .join('\n\n')
    .trim()
}

/** A document as a block of code with its name; the fence is longer than any in it. */
export function formatDocument({
  name,
  language = '',
  content,
}: Pick<ExportedDocument, 'name' | 'content'> & { language?: string }): string {
  let longest = 2
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const label = truncate(name.replace(/[\s`*]+/g, ' ').trim(), 200)
  const info = /^[\w+#.-]{1,30}$/.test(language) ? language : ''
  return `${label === '' ? '' : `**${label}**\n\n`}${fence}${info}\n${content.replace(/\n$/, '')}\n${fence}`
}

/** Names of languages that differ from the extension of their files. */
const languages: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  md: 'markdown',
  yml: 'yaml',
  sh: 'bash',
  rb: 'ruby',
  rs: 'rust',
  htm: 'html',
  kt: 'kotlin',
  react: 'jsx',
}
/** @param name an extension, or what an export calls the language */
export const toLanguage = (name: string): string =>
  getOwn(languages, name.toLowerCase()) ?? name.toLowerCase()

/** The language of a file by its name. */
export const findLanguage = (fileName: string): string =>
  toLanguage(/\.([A-Za-z0-9]{1,12})$/.exec(fileName)?.[1] ?? '')

const httpUrl = /^https?:\/\/[^\s<>"]{1,1990}$/i

/** A page that a message cites. @returns undefined for what is no address of the web */
export function toSource(url: string, title: string): Source | undefined {
  if (!httpUrl.test(url) || !URL.canParse(url)) return undefined
  const line = truncate(title.replace(/\s+/g, ' ').trim(), 200)
  return { url, ...(line !== '' && { title: line }) }
}

/** A link in Markdown, named as the page or by its site. */
export function formatLink({ url, title }: Source): string {
  const name = truncate((title ?? new URL(url).host).replace(/[[\]\\`*_<>\s]+/g, ' ').trim(), 80)
  return `[${name || new URL(url).host}](${url.replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'))})`
}

/** Pages that one mark of a text links. */
const maxLinks = 5

/** The links of a mark, behind the words that it belongs to; none for no sources. @param before the character before the mark */
export const formatLinks = (sources: readonly Source[], before = ''): string =>
  sources.length === 0
    ? ''
    : `${/\s/.test(before) ? '' : ' '}(${sources.slice(0, maxLinks).map(formatLink).join(', ')})`

/** A link to a file in the sandbox where the assistant's programs run; the name of the file follows the last slash. */
const fileLink = /!?\[([^[\]\n]{0,300})\]\((?:sandbox|computer|file):([^()\s]{1,300})\)/g

/**
 * Turns links to files of the assistant's sandbox, which lead nowhere, into the files' names.
 * @param isKnown whether the conversation has the file as a document
 */
export function readFileLinks(text: string, isKnown: (fileName: string) => boolean) {
  const files: FileReference[] = []
  const visibleText = text.replace(fileLink, (_, label: string, path: string) => {
    const name = decodeName(path.slice(path.lastIndexOf('/') + 1))
    if (name !== '' && !isKnown(name)) files.push({ id: name, name, isLinked: true })
    return label === '' || label.includes(name) ? label || name : `${label} (${name})`
  })
  return { text: visibleText, files }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
