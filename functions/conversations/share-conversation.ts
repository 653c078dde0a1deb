import { randomBytes } from 'node:crypto'
import type { Share, ShareAudience } from '#shared/contracts/shares.ts'
import { maxCopiedMegabytes, maxCopiedMessages, maxShares, sharePageBytes } from '../platform/limits.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { listShownResults } from '#shared/table-result.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { maxSharedRows } from '#shared/limits.ts'
import { recoverRun } from './turns/recover-run.ts'
import { cutPath, hasTurn, type Path } from './store/branches.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { findShownPath, isActive } from './store/run.ts'
import { NothingToShare, ReplyUnfinished, TooLongToShare, TooManyShares } from '../shares/errors.ts'
import { toEpochSeconds, type SnapshotMessage } from '../shares/share-repository.ts'
import { ConversationNotFound, RunChanged } from './store/errors.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

const dayMs = 86_400_000

/**
 * Shares a snapshot of a conversation: title, text, sources and tables of the shown messages, copied to separate rows. Other versions,
 * files, images, reasoning, tool calls, times and the owner's name are left out.
 * @param days for which the link works
 * @throws ConversationNotFound, ReplyUnfinished, NothingToShare, TooLongToShare, TooManyShares, StorageFull
 */
export async function shareConversation(
  stores: ConversationStores,
  {
    sub,
    sessionId,
    days,
    audience,
  }: { sub: string; sessionId: string; days: number; audience: ShareAudience },
): Promise<Share> {
  const { shares } = stores
  const nowMs = Date.now()
  const link: Share = {
    id: crypto.randomUUID(),
    session_id: sessionId,
    secret: randomBytes(32).toString('base64url'),
    audience,
    title: '',
    message_count: 0,
    created_at: new Date(nowMs).toISOString(),
    ends_at: new Date(nowMs + days * dayMs).toISOString(),
  }
  // before the conversation is read: a deletion afterwards finds the link and deletes it too
  if (!(await shares.reserve(sub, link, maxShares, nowMs))) throw new TooManyShares(`more than ${maxShares}`)
  try {
    const { title, path } = await requireFinished(stores, sub, sessionId)
    link.title = title
    const pages = await copyMessages(stores, sub, link, path)
    if (pages === 0) throw new NothingToShare(`no messages in ${sessionId}`)
    if (!(await shares.publish(sub, link, pages))) {
      const found = await stores.conversations.find(sub, sessionId)
      if (found && found !== 'deleted') throw new RunChanged('messages were deleted while they were shared')
      throw new ConversationNotFound(`${sessionId} was deleted while it was shared`)
    }
  } catch (error) {
    await shares.remove(sub, link)
    throw error
  }
  return link
}

/**
 * @returns title of a conversation whose last reply is over, and the turns of the branch that is shown, up to that reply: later ones are
 * not shared
 */
async function requireFinished(
  stores: ConversationStores,
  sub: string,
  sessionId: string,
): Promise<{ title: string; path: Path }> {
  const session = await stores.conversations.find(sub, sessionId)
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const found = await stores.runs.find(sub, sessionId)
  const run = found && (await recoverRun(stores, found))
  if (run && isActive(run)) throw new ReplyUnfinished(`run ${run.runId} is ${run.status}`)
  // replaced messages are not shared
  const current = (run && (await commitReplacement(stores, run)))?.run ?? run
  const newest = current?.turn ?? (await findNewestTurn(stores, sub, sessionId))
  return { title: session.title, path: cutPath(findShownPath(current ?? {}), newest + 1) }
}

/** The newest turn of a conversation without a run. */
async function findNewestTurn({ messages }: ConversationStores, sub: string, sessionId: string) {
  const newest = await messages.loadNewest(sub, sessionId, { maxMessages: 1 })
  return newest.messages.at(-1)?.turn ?? 0
}

/** The tables below a reply. Their files are left out, as all files are, but their deletion finds the tables. */
function copyTables(calls: readonly ToolCall[]): Pick<SnapshotMessage, 'tables' | 'table_files'> {
  const results = listShownResults(calls)
  const tables = results.map(({ columns, rows, total }) => ({
    columns: [...columns],
    rows: rows.slice(0, maxSharedRows).map((row) => [...row]),
    total_rows: total,
  }))
  const files = results.map(({ sources }) => sources.flatMap(({ file_id: id }) => id ?? []))
  return tables.length > 0 ? { tables, table_files: files } : {}
}

/** @returns how many pages there are; counts the messages in the link */
async function copyMessages(
  { messages, shares, texts }: ConversationStores,
  sub: string,
  link: Share,
  path: Path,
): Promise<number> {
  let pages = 0
  let page: SnapshotMessage[] = []
  let bytes = 0
  let totalBytes = 0
  const storePage = async () => {
    if (page.length === 0) return
    await texts.reserveText(sub, link.id, bytes, toEpochSeconds(link.ends_at))
    await shares.putPage(link, ++pages, page)
    link.message_count += page.length
    page = []
    bytes = 0
  }
  for (let after: string | null | undefined; after !== null;) {
    const { messages: found, next } = await messages.loadAfter(sub, link.session_id, after)
    for (const { id, turn, role, content, attachments, sources, tool_calls, ended } of found) {
      if (!hasTurn(path, turn)) continue
      const message: SnapshotMessage = {
        id,
        role,
        content,
        files: attachments.length,
        file_ids: attachments.map((file) => file.id),
        ...(sources && { sources }),
        ...copyTables(tool_calls),
        ...(ended && { ended }),
      }
      if (!countsAsMessage(content) && message.files === 0) continue
      const size = Buffer.byteLength(JSON.stringify(message))
      if (bytes + size > sharePageBytes) await storePage()
      page.push(message)
      bytes += size
      totalBytes += size
      const count = link.message_count + page.length
      if (count > maxCopiedMessages || totalBytes > maxCopiedMegabytes * 1024 ** 2)
        throw new TooLongToShare(`${count} messages, ${totalBytes} bytes`)
    }
    after = next
  }
  await storePage()
  return pages
}
