import { randomUUID } from 'node:crypto'
import { listConversations } from '../../functions/conversations/list-conversations.ts'
import { listIndex } from '../../functions/conversations/store/list-index.ts'
import { writeBatches } from '../../functions/platform/dynamodb/write-batches.ts'
import { openStores } from '../support/conversations.ts'
import { openTestTable } from '../support/table.ts'
import { median, ms, type Bench, type Figure } from './figures.ts'

const sizes = [1_001, 5_000]
/** As the page asks for it. */
const firstPage = { view: 'active', limit: 100 } as const
const repeats = 15
const dayMs = 86_400_000
const perDay = 15

type TestTable = Awaited<ReturnType<typeof openTestTable>>

/** Writes rows of conversations, with the attributes that they have after some turns. */
function storeConversations(table: TestTable, sub: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() - (index / perDay) * dayMs).toISOString()
    return {
      PK: `U#${sub}`,
      SK: `S#${randomUUID()}`,
      title: 'A title of some words, as they are',
      created_at: at,
      updated_at: at,
      usage_from: at,
      message_count: 8,
      rev: 8,
      model: 'a-model-with-a-name',
      counted_run: randomUUID(),
      input_tokens: 12_345,
      output_tokens: 2_345,
      replies: 4,
    }
  })
  return writeBatches(
    table,
    rows.map((Item) => ({ PutRequest: { Item } })),
  )
}

/** @returns the read units of a call, and its time */
async function measure(table: TestTable, call: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  const before = table.readUnits()
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
  }
  return `${((table.readUnits() - before) / repeats).toFixed(0)} units, ${ms(median(times))}`
}

/** Handlers and table are one process. */
export const conversationListBench: Bench = {
  name: 'conversation-list',
  title: 'A page of the list of conversations',
  async run() {
    const table = await openTestTable()
    const { conversations } = openStores(table)
    const index = listIndex(table, '1.0.0')
    const figures: Figure[] = []
    try {
      for (const size of sizes) {
        const sub = `with-${size}`
        await storeConversations(table, sub, size)
        let nowMs = Date.now()
        const list = () => listConversations({ conversations, index }, sub, firstPage, nowMs)
        const what = `First page of ${size.toLocaleString('en')}: read units, time p50`
        await list()
        figures.push({ what: `${what}; all are read`, measured: await measure(table, list) })
        nowMs += dayMs
        const before = table.writeUnits()
        await list()
        const writes = table.writeUnits() - before
        figures.push(
          { what: `${what}; by entries`, measured: await measure(table, list) },
          { what: 'Write units of making the entries', measured: String(writes) },
        )
      }
      return figures
    } finally {
      await table.close()
    }
  },
}
