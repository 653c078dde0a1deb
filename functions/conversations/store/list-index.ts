import * as z from 'zod'
import { batchedReads } from '../../platform/dynamodb/batched-reads.ts'
import { queryPage } from '../../platform/dynamodb/query.ts'
import { putRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { writeBatches } from '../../platform/dynamodb/write-batches.ts'
import { conversationKey, type ListedConversation, toListed } from './conversation-row.ts'
import { dayKey, dayPrefix, parseDayKey, pinKey, pinPrefix, toDay } from './list-entries.ts'

const dayMs = 86_400_000

/** Up to so many conversations, reading all of them costs less than reading a page of rows one by one. */
const minConversations = 1_000
/** Entries that are read for a page, and written for the next ones, at most. */
const maxEntries = 1_000
/** Pinned conversations come in front of a first page, all of them. */
const maxPins = 500
/** Entries are made for so many conversations after the page that a user looks at. */
const ahead = 500

const stateRow = z.object({
  /** the release that has checked the entries: another one starts anew, since an earlier release may have run between them */
  release: z.string(),
  /** when that release has first listed the conversations, ISO time */
  from: z.string(),
  /** the day since which there are all entries; empty: of all days. Absent: of none */
  since: z.string().optional(),
  /** when they were last compared with the conversations, ISO time */
  checked_at: z.string().optional(),
})
type State = z.infer<typeof stateRow>

const stateKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'DAYS' })

/** Where a page begins: after a conversation with this update. */
export interface After {
  readonly updatedAt: string
}

interface Page {
  readonly after: After | undefined
  /** conversations that are not pinned */
  readonly limit: number
  /** whether a conversation is one of them, after the beginning of the page */
  readonly isOnPage: (session: ListedConversation) => boolean
}

/**
 * Reads the newest conversations of a user who has many of them, by their entries (list-entries.ts). It is complete only as far back as the
 * entries are known to be: they are made from all conversations, some pages ahead of what the user looks at, and compared with all of them
 * once a day. Then, and for what is older, all conversations are read.
 * @param release version of the product
 */
export function listIndex(table: Table, release: string) {
  /** Those of the conversations that exist and have real content, 100 in a request. */
  async function findListed(sub: string, ids: readonly string[]): Promise<ListedConversation[]> {
    const reads = batchedReads(table)
    const items = await Promise.all(ids.map((id) => readRow(reads, conversationKey(sub, id))))
    return items.flatMap((item) => toListed(sub, item))
  }

  async function findState(sub: string): Promise<State | undefined> {
    const state = stateRow.safeParse(await readRow(table, stateKey(sub))).data
    return state?.release === release ? state : undefined
  }

  const isFresh = (state: State, nowMs: number): state is State & { since: string } =>
    state.since !== undefined &&
    state.checked_at !== undefined &&
    nowMs - Date.parse(state.checked_at) < dayMs

  async function readDays(sub: string, limit: number, after: string | undefined) {
    const { rows, next } = await queryPage(table, {
      partition: `U#${sub}`,
      prefix: dayPrefix,
      projection: 'SK',
      newestFirst: true,
      limit,
      after,
    })
    return { entries: rows.map(parseDayKey), next }
  }

  /** @returns undefined if there are too many */
  async function readPinned(sub: string): Promise<ListedConversation[] | undefined> {
    const { rows, next } = await queryPage(table, {
      partition: `U#${sub}`,
      prefix: pinPrefix,
      projection: 'SK',
      limit: maxPins,
    })
    if (next !== undefined) return undefined
    return findListed(
      sub,
      rows.map(({ SK }) => String(SK).slice(pinPrefix.length)),
    )
  }

  /** Whole days, the newest first, until more conversations are found than the page has. */
  async function readNewest(
    sub: string,
    { after, limit, isOnPage }: Page,
    since: string,
  ): Promise<ListedConversation[] | undefined> {
    // one with entries for several days is found several times
    const found = new Map<string, ListedConversation>()
    // no id has this character, which comes after all that they have
    let start = after && `${dayPrefix}${toDay(after.updatedAt)}#~`
    for (let read = 0; read < maxEntries;) {
      const { entries, next } = await readDays(sub, limit + 20, start)
      read += entries.length
      const unread = new Set(entries.map(({ id }) => id).filter((id) => !found.has(id)))
      for (const session of await findListed(sub, [...unread])) found.set(session.id, session)
      const lastDay = entries.at(-1)?.day ?? ''
      const isEnd = next === undefined || lastDay < since
      const complete = [...found.values()].filter(({ updated_at }) => {
        const day = toDay(updated_at)
        return day >= since && (isEnd || day > lastDay)
      })
      // one more says that there is a next page
      if (complete.filter(isOnPage).length > limit) return complete
      if (next === undefined) return since === '' ? complete : undefined
      if (lastDay < since) return undefined
      start = next
    }
    return undefined
  }

  return {
    /**
     * Conversations that have those of a page among them, and one more unless it is the last one, in no order.
     * @returns undefined if all conversations have to be read
     */
    async find(sub: string, page: Page, nowMs: number): Promise<ListedConversation[] | undefined> {
      const state = await findState(sub)
      if (!state || !isFresh(state, nowMs)) return undefined
      const [newest, pinned] = await Promise.all([
        readNewest(sub, page, state.since),
        page.after ? [] : readPinned(sub),
      ])
      if (!newest || !pinned) return undefined
      return [...new Map([...newest, ...pinned].map((session) => [session.id, session])).values()]
    },

    /**
     * Compares the entries with all conversations, if there are many: adds those that are missing, and makes those for some pages more.
     * In the first day of a release nothing is made: functions of the one before may still run.
     * @param all newest update first
     * @param passed how many of them come before the end of the page that was asked for
     */
    async maintain(
      sub: string,
      all: readonly ListedConversation[],
      { passed, nowMs }: { passed: number; nowMs: number },
    ): Promise<void> {
      if (all.length <= minConversations) return
      const now = new Date(nowMs).toISOString()
      const state = await findState(sub)
      if (!state) return putRow(table, { ...stateKey(sub), release, from: now } satisfies State & object)
      if (nowMs - Date.parse(state.from) < dayMs) return
      // it reaches as far as it can
      if (isFresh(state, nowMs) && state.since === '') return
      const last = all[passed + ahead]
      const wanted = last === undefined ? '' : toDay(last.updated_at)
      const since = state.since !== undefined && state.since < wanted ? state.since : wanted
      const existing = await readSince(sub, since)
      const missing = all.filter(
        ({ id, updated_at }) => toDay(updated_at) >= since && !existing.has(dayKey(sub, id, updated_at).SK),
      )
      const added = missing.slice(0, maxEntries)
      const pins = all.filter(({ pinned }) => pinned)
      await writeBatches(table, [
        ...added.map(({ id, updated_at }) => toPut(dayKey(sub, id, updated_at))),
        ...pins.map(({ id }) => toPut(pinKey(sub, id))),
      ])
      // the rest of them come next time: until then only the days after them are complete
      const left = missing[maxEntries]
      const done =
        left === undefined ? since : toDay(new Date(Date.parse(toDay(left.updated_at)) + dayMs).toISOString())
      await putRow(table, {
        ...stateKey(sub),
        release,
        from: state.from,
        since: done,
        checked_at: now,
      } satisfies State & object)
    },
  }

  async function readSince(sub: string, since: string): Promise<Set<string>> {
    const keys = new Set<string>()
    let start: string | undefined
    do {
      const { entries, next } = await readDays(sub, Infinity, start)
      for (const { day, id } of entries) keys.add(`${dayPrefix}${day}#${id}`)
      start = (entries.at(-1)?.day ?? '') < since ? undefined : next
    } while (start !== undefined)
    return keys
  }
}

const toPut = (row: object) => ({ PutRequest: { Item: row } })

export type ListIndex = ReturnType<typeof listIndex>
