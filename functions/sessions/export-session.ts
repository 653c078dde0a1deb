import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Message, Session } from '#shared/contracts/sessions.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { markdownMessage, markdownTitle } from './conversation-markdown.ts'
import { SessionNotFound } from './errors.ts'
import { cursorOf, withoutPlace } from './message-repository.ts'
import type { Stores } from './stores.ts'

type Format = RouteQuery<'sessions.export'>['format']

/** A file's text in three kinds of pieces, which joined in order are the file. */
interface Writer {
  readonly type: string
  readonly extension: string
  begin(session: Session): string
  message(message: Message, isFirst: boolean): string
  end(): string
}

const markdown: Writer = {
  type: 'text/markdown',
  extension: 'md',
  begin: markdownTitle,
  message: (message) => markdownMessage(message, 'Assistant'),
  end: () => '',
}

const json: Writer = {
  type: 'application/json',
  extension: 'json',
  begin({ id, title, created_at, updated_at, message_count, pinned = false, archived = false }) {
    const session = { id, title, created_at, updated_at, message_count, pinned, archived }
    return `${JSON.stringify(session).slice(0, -1)},"messages":[`
  },
  message: (message, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(message)}`,
  end: () => '\n]}\n',
}

const writers: Readonly<Record<Format, Writer>> = { markdown, json }

function fileName({ title }: Session, { extension }: Writer): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
  return `${words.join('-').slice(0, 80).toLowerCase() || 'conversation'}.${extension}`
}

/**
 * A part of one conversation as a file; the parts joined are the file.
 * @param query `after` is the `next` of the part before
 * @throws SessionNotFound
 */
export async function exportSession(
  { sessions, messages }: Pick<Stores, 'sessions' | 'messages'>,
  { sub, sessionId }: { sub: string; sessionId: string },
  { format, after }: RouteQuery<'sessions.export'>,
): Promise<RouteResponse<'sessions.export'>> {
  const session = await sessions.find(sub, sessionId)
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  const writer = writers[format]
  const page = await messages.following(sub, sessionId, after)
  const isFirst = after === undefined
  const content = isFirst ? [writer.begin(session)] : []
  let { next } = page
  let bytes = 0
  let previous: string | null = null
  for (const [index, message] of page.messages.entries()) {
    const text = writer.message(withoutPlace(message), isFirst && index === 0)
    bytes += responseBytes(text)
    if (bytes > pageBytes && previous !== null) {
      next = previous
      break
    }
    content.push(text)
    previous = cursorOf(message)
  }
  if (next === null) content.push(writer.end())
  return {
    success: true,
    file_name: fileName(session, writer),
    type: writer.type,
    content: content.join(''),
    next,
  }
}
