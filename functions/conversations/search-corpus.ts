import { sayConversation } from '#shared/sentences/conversations.ts'
import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { truncate } from '#shared/truncate.ts'
import { BadRequest } from '../platform/errors.ts'
import { limitConcurrency } from '../platform/limit-concurrency.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { loadAhead } from '../platform/load-ahead.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { formatCursor, type StoredMessage } from './store/message-row.ts'
import { toApprovalRequest } from './store/run.ts'
import type { ListedConversation } from './store/conversation-row.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

/** A message may become readable a little after the time that its conversation carries. */
const overlapMs = 60_000

/** Most conversations are one query each. */
const queriesAtOnce = 10
/** Their rows are read so many at a time: a page of the corpus seldom has the messages of more. */
const rowsAtOnce = 200
/** A person who lets more wait finds the newest of them. */
const maxWaiting = 100

/** Where the next page starts, and the time of the first one. */
interface Cursor {
  asOf: string
  /** id of the conversation, and position of its last message that was sent */
  sessionId: string
  messageCursor: string
}

const encode = (cursor: Cursor) => Buffer.from(JSON.stringify(Object.values(cursor))).toString('base64url')

function decode(text: string): Cursor {
  try {
    const [asOf, sessionId, messageCursor] = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as unknown[]
    if (
      typeof asOf === 'string' &&
      typeof sessionId === 'string' &&
      /^\d{6}#[123]$/.test(String(messageCursor))
    )
      return { asOf, sessionId, messageCursor: String(messageCursor) }
  } catch (cause) {
    throw new BadRequest(sayConversation('bad_request.search_cursor'), { cause })
  }
  throw new BadRequest(sayConversation('bad_request.search_cursor'))
}

/** Most of what is searched of a message besides its text; arguments and results of calls have half of it at least. */
const maxDetailCharacters = 8_000

function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* listTexts(each)
}

/** The texts and numbers in values, each on a line, as far as they fit. */
function joinTexts(values: unknown, maxCharacters: number): string {
  let joined = ''
  for (const text of listTexts(values)) {
    joined += `${joined === '' ? '' : '\n'}${text}`
    if (joined.length >= maxCharacters) break
  }
  return truncate(joined, maxCharacters)
}

/** What the page shows of a message besides its text. */
function describeDetails({ attachments, sources = [], tool_calls: calls }: StoredMessage): string {
  const names = [attachments.map(({ name }) => name), sources.map(({ title, url }) => [title, url])]
  const asked = joinTexts([names, calls.map(({ parameters }) => parameters)], maxDetailCharacters / 2)
  const results = calls.map(({ result }) => [result.links, result.data])
  return joinTexts([asked, joinTexts(results, maxDetailCharacters - asked.length)], maxDetailCharacters)
}

/** The calls that wait, which are in no message yet, as messages. */
async function loadWaiting(
  { runs }: Pick<ConversationStores, 'runs'>,
  sub: string,
  sessionIds: ReadonlySet<string>,
): Promise<RouteResponse<'sessions.corpus'>['messages']> {
  const limit = limitConcurrency(queriesAtOnce)
  const found = await waitForAll([...sessionIds].map((id) => limit(sub, () => runs.find(sub, id))))
  return found.flatMap((run) =>
    run?.status === 'waiting' && run.isSaved
      ? {
          id: run.messageId,
          session_id: run.sessionId,
          role: 'assistant',
          content: '',
          details: joinTexts(
            run.pending.map((call) => {
              const { arguments: values, elicitations = [] } = toApprovalRequest(call)
              return [values, elicitations.map(({ message }) => message)]
            }),
            maxDetailCharacters,
          ),
          created_at: new Date(run.startedAtMs).toISOString(),
        }
      : [],
  )
}

/**
 * The caller's own titles and messages, for a search that runs in their browser.
 * @param query `since` gives only conversations that changed after it, whole; `cursor` continues an earlier page
 */
export async function searchCorpus(
  { conversations, messages, runs }: Pick<ConversationStores, 'conversations' | 'messages' | 'runs'>,
  sub: string,
  { since, cursor }: RouteQuery<'sessions.corpus'>,
): Promise<RouteResponse<'sessions.corpus'>> {
  const from = cursor === undefined ? undefined : decode(cursor)
  const asOf = from?.asOf ?? new Date().toISOString()
  const sinceMs = since === undefined ? undefined : Date.parse(since) - overlapMs
  // its row does not say when a reply has begun to wait
  const waitingIds = new Set((await runs.listWaitingIds(sub)).slice(0, maxWaiting))
  const listChanged = (sessions: readonly Pick<ListedConversation, 'id' | 'changed_at'>[]) =>
    sessions
      .filter(
        ({ id, changed_at }) =>
          sinceMs === undefined || waitingIds.has(id) || Date.parse(changed_at) >= sinceMs,
      )
      .map(({ id }) => id)
      .toSorted()
  const all = from ? null : await conversations.list(sub)
  const response: RouteResponse<'sessions.corpus'> = {
    sessions:
      all?.map(({ id, title, updated_at, archived, project_id }) => ({
        id,
        title,
        updated_at,
        archived,
        project_id,
      })) ?? null,
    changed: all && listChanged(all),
    messages: from ? [] : await loadWaiting({ runs }, sub, waitingIds),
    next: null,
    as_of: asOf,
  }
  let bytes = responseBytes(response)
  const loadFirst = (sessionId: string) =>
    messages.loadAfter(sub, sessionId, sessionId === from?.sessionId ? from.messageCursor : undefined)
  /** Ids in their order; a further page of the corpus reads none of the conversations before it. */
  async function* listPending(): AsyncGenerator<string[]> {
    if (!from) return yield response.changed ?? []
    const current = await conversations.find(sub, from.sessionId)
    if (current && current !== 'deleted') yield [from.sessionId]
    for await (const page of conversations.readPages(sub, { after: from.sessionId, limit: rowsAtOnce }))
      yield listChanged(page)
  }
  for await (const ids of listPending())
    for await (const [sessionId, firstPage] of loadAhead(ids, queriesAtOnce, loadFirst)) {
      for (let page = firstPage; ; page = await messages.loadAfter(sub, sessionId, page.next)) {
        for (const message of page.messages) {
          const { id, session_id, role, content, created_at } = message
          const details = describeDetails(message)
          const entry = { id, session_id, role, content, ...(details !== '' && { details }), created_at }
          response.messages.push(entry)
          bytes += responseBytes(entry)
          // one more may have 1.2 MB, which still fits
          if (bytes >= pageBytes)
            return { ...response, next: encode({ asOf, sessionId, messageCursor: formatCursor(message) }) }
        }
        if (page.next === null) break
      }
    }
  return response
}
