import { sendTurn } from './client.ts'
import { prepareConversations } from './conversations.ts'
import { median, ms, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'
import { monotonicNowMs, type TableRequest } from './dynamodb-proxy.ts'

/** DynamoDB takes 3 to 6 ms (p50) and 10 to 20 ms (p99) from a function; 1 ms is a laptop. */
const latenciesMs = [1, 4, 10]
const warmUps = 20
const turnsOfEach = 30
const messages = 10

interface Turn {
  firstTokenMs: number
  /** the longest chain of sequential requests before the first token */
  roundTrips: number
  requests: TableRequest[]
  writeUnits: number
}

/** The length of the longest chain of requests in which each starts after the previous one has ended. */
export function countRoundTrips(requests: readonly TableRequest[]): number {
  let count = 0
  let endedAtMs = Number.NEGATIVE_INFINITY
  for (const request of requests.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    if (request.startedAtMs < endedAtMs) continue
    count += 1
    endedAtMs = request.endedAtMs
  }
  return count
}

async function measureTurn(product: Product, sessionId: string): Promise<Turn> {
  const unitsBefore = await product.writeUnits()
  await product.takeTableRequests()
  const startedAtMs = monotonicNowMs()
  const pace = { firstTokenMs: 0, tokens: 8, everyMs: 0 }
  const { firstTokenMs } = await sendTurn(product, { sessionId, pace, characters: 80 })
  const writeUnits = (await product.settledWriteUnits()) - unitsBefore
  const requests = await product.takeTableRequests()
  const before = requests.filter(({ endedAtMs }) => endedAtMs <= startedAtMs + firstTokenMs)
  return { firstTokenMs, roundTrips: countRoundTrips(before), requests, writeUnits }
}

const formatList = (values: readonly number[]) => [...new Set(values)].toSorted((a, b) => a - b).join(', ')

function countOperations(requests: readonly TableRequest[]): string {
  const counts = new Map<string, number>()
  for (const { operation } of requests) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  return [...counts].map(([operation, count]) => `${count} ${operation}`).join(', ')
}

/** Alternates between the latencies, so that other load on the machine affects all of them. */
async function measureRoundTrips(product: Product): Promise<Figure[]> {
  const conversations = await prepareConversations(product, 10, messages)
  const turns = new Map<number, Turn[]>(latenciesMs.map((latency) => [latency, []]))
  for (let turn = -warmUps; turn < turnsOfEach * latenciesMs.length; turn += 1) {
    const latency = latenciesMs[(turn + warmUps) % latenciesMs.length] ?? 0
    await product.setTableLatency(latency)
    const measured = await measureTurn(product, conversations[(turn + warmUps) % conversations.length] ?? '')
    if (turn >= 0) turns.get(latency)?.push(measured)
  }
  const firstToken = (latency: number) => median((turns.get(latency) ?? []).map((turn) => turn.firstTokenMs))
  const [least = 0, most = 0] = [latenciesMs[0], latenciesMs.at(-1)]
  const all = [...turns.values()].flat()
  const last = turns.get(most)?.at(-1)
  return [
    ...latenciesMs.map((latency) => ({
      what: `First token with ${latency} ms for each request to the table, p50 of ${turnsOfEach} (${messages} messages and more, a model that answers at once)`,
      measured: ms(firstToken(latency)),
    })),
    {
      what: 'Round trips that the first token waits for: what a millisecond more for each request adds to it',
      measured: ((firstToken(most) - firstToken(least)) / (most - least)).toFixed(1),
    },
    {
      what: `Requests to the table one after another up to the first token, at most, at ${most} ms`,
      measured: formatList((turns.get(most) ?? []).map((turn) => turn.roundTrips)),
    },
    {
      what: `Requests to the table for a turn: ${countOperations(last?.requests ?? [])}`,
      measured: formatList(all.map(({ requests }) => requests.length)),
    },
    {
      what: 'Write units of a turn, budgets given back included (infra/operate/cost/units.ts)',
      measured: formatList(all.map(({ writeUnits }) => writeUnits)),
    },
  ]
}

export const roundTripsBench: Bench = {
  name: 'round-trips',
  title: 'Round trips to the table',
  async run({ profileTo }) {
    const product = await startProduct(profileTo, {}, true)
    try {
      return await measureRoundTrips(product)
    } finally {
      await product.end()
    }
  },
}
