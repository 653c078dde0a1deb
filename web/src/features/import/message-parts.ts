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

/** findDocument looks at no more states, so that a search in a long conversation stays short. */
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

/** A longer name would take more than a line. */
const maxLabelCharacters = 200

/** A document as a block of code with its name; the fence is longer than any in it. */
export function formatDocument({
  name,
  language = '',
  content,
}: Pick<ExportedDocument, 'name' | 'content'> & { language?: string }): string {
  let longest = 2
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const label = truncate(name.replace(/[\s`*]+/g, ' ').trim(), maxLabelCharacters)
  const info = /^[\w+#.-]{1,30}$/.test(language) ? language : ''
  return `${label === '' ? '' : `**${label}**\n\n`}${fence}${info}\n${content.replace(/\n$/, '')}\n${fence}`
}
