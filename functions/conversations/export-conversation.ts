import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Session } from '#shared/contracts/messages.ts'
import type { Language } from '#shared/languages.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { findPath, hasTurn, type Branches } from './store/branches.ts'
import { findShownPath, type Run } from './store/run.ts'
import { openMarkdown } from './conversation-markdown.ts'
import { exportTexts, showTitle } from './export-texts.ts'
import { ConversationNotFound } from './store/errors.ts'
import { formatCursor, type StoredMessage } from './store/message-row.ts'
import { toExportedForks, toExportedMessage, type ExportedMessage } from './message-versions.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

type Format = RouteQuery<'sessions.export'>['format']

/** The pieces of a file's text; joined in order they are the file. */
interface FileFormat {
  readonly type: string
  readonly extension: string
  formatHead(session: Session, branches: Branches | undefined): string
  /** @param isFirst of the shown branch, or of the other versions */
  formatMessage(message: ExportedMessage, isFirst: boolean): string
  /** separates the shown branch from other versions, if there are any */
  formatOthersHead(): string
  formatEnd(): string
}

const markdown = (language: Language): FileFormat => {
  const texts = exportTexts[language]
  const { formatTitle, formatMessage, otherVersions } = openMarkdown(language, texts.assistant)
  return {
    type: 'text/markdown',
    extension: 'md',
    formatHead: formatTitle,
    formatMessage,
    formatOthersHead: () => otherVersions,
    formatEnd: () => '',
  }
}

const json: FileFormat = {
  type: 'application/json',
  extension: 'json',
  formatHead(
    { id, title, created_at, updated_at, message_count, pinned = false, archived = false },
    branches,
  ) {
    const forks = toExportedForks(branches)
    const session = { id, title, created_at, updated_at, message_count, pinned, archived, ...forks }
    return `${JSON.stringify(session).slice(0, -1)},"messages":[`
  },
  formatMessage: (message, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(message)}`,
  formatOthersHead: () => '\n],"other_versions":[',
  formatEnd: () => '\n]}\n',
}

const fileFormats: Readonly<Record<Format, (language: Language) => FileFormat>> = {
  markdown,
  // for programs: the same in each language
  json: () => json,
}

function buildFileName({ title }: Session, { extension }: FileFormat, language: Language): string {
  const words =
    showTitle(title, language)
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const name = words.join('-').slice(0, 80).toLowerCase() || exportTexts[language].conversation
  return `${name}.${extension}`
}

/** A cursor before all messages. */
const cursorBeforeAll = '000000#1'

/** Where a part begins. */
interface Start {
  /** in the other versions, after the shown branch */
  isOther: boolean
  /** cursor of the last message of the part before; undefined: at the beginning */
  cursor: string | undefined
  /** last turn of the branch that was shown when the first part was written: all parts have the same one */
  lastTurn: number
}

/** @throws Error for a cursor that the route's contract refuses */
function parseStart(
  after: string | undefined,
  run: Pick<Run, 'turn' | 'branches' | 'replaces'> | undefined,
): Start {
  const newest = run?.branches ? run.turn : Infinity
  const lastTurn = Math.min(newest, findShownPath(run ?? {})[0]?.last ?? newest)
  if (after === undefined) return { isOther: false, cursor: undefined, lastTurn }
  const found = /^(v?)(\d{6}#[123])(?:@(\d+))?$/.exec(after)
  if (!found) throw new Error('a cursor of another form')
  const [, mark, cursor, earlierLastTurn] = found
  const isOther = mark === 'v'
  return {
    isOther,
    cursor: cursor === cursorBeforeAll ? undefined : cursor,
    lastTurn: earlierLastTurn ? Number(earlierLastTurn) : lastTurn,
  }
}

const formatStart = ({ isOther, cursor, lastTurn }: Start & { cursor: string }) =>
  `${isOther ? 'v' : ''}${cursor}${lastTurn === Infinity ? '' : `@${lastTurn}`}`

/** The next messages to export, one or more pages of the table. */
async function loadNextMessages(
  messages: ConversationStores['messages'],
  { sub, sessionId }: { sub: string; sessionId: string },
  { from, isWanted }: { from: string | undefined; isWanted: (message: StoredMessage) => boolean },
): Promise<{ found: StoredMessage[]; next: string | null }> {
  for (let after = from; ;) {
    const page = await messages.loadAfter(sub, sessionId, after)
    const found = page.messages.filter(isWanted)
    if (found.length > 0 || page.next === null) return { found, next: page.next }
    after = page.next
  }
}

/**
 * A part of one conversation as a file; the parts joined are the file: the branch that is shown, then the messages of other versions.
 * @param query `after` is the `next` of the part before; `language` is that of headings, notes and the file's name
 * @throws ConversationNotFound
 */
export async function exportConversation(
  { conversations, messages, runs }: Pick<ConversationStores, 'conversations' | 'messages' | 'runs'>,
  { sub, sessionId }: { sub: string; sessionId: string },
  { format, after, language }: Omit<RouteQuery<'sessions.export'>, 'language'> & { language: Language },
): Promise<RouteResponse<'sessions.export'>> {
  const [session, run] = await Promise.all([
    conversations.find(sub, sessionId),
    runs.findBranches(sub, sessionId),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const fileFormat = fileFormats[format](language)
  const branches = run?.branches
  const start = parseStart(after, run)
  const path = findPath(branches, start.lastTurn)
  const { found, next } = await loadNextMessages(
    messages,
    { sub, sessionId },
    {
      from: start.cursor,
      // what was to replace a message, and has no reply, is no version of it
      isWanted: ({ turn }) => hasTurn(path, turn) !== start.isOther && !(run?.replaces && run.turn === turn),
    },
  )
  const content: string[] = []
  if (start.cursor === undefined)
    content.push(start.isOther ? fileFormat.formatOthersHead() : fileFormat.formatHead(session, branches))
  let nextStart = next === null ? null : { ...start, cursor: next }
  let bytes = 0
  let previousCursor: string | null = null
  for (const [index, message] of found.entries()) {
    const text = fileFormat.formatMessage(
      toExportedMessage(message, branches),
      start.cursor === undefined && index === 0,
    )
    bytes += responseBytes(text)
    if (bytes > pageBytes && previousCursor !== null) {
      nextStart = { ...start, cursor: previousCursor }
      break
    }
    content.push(text)
    previousCursor = formatCursor(message)
  }
  if (nextStart === null && branches && !start.isOther)
    nextStart = { ...start, isOther: true, cursor: cursorBeforeAll }
  if (nextStart === null) content.push(fileFormat.formatEnd())
  return {
    success: true,
    file_name: buildFileName(session, fileFormat, language),
    type: fileFormat.type,
    content: content.join(''),
    next: nextStart && formatStart(nextStart),
  }
}
