import { setTimeout as sleep } from 'node:timers/promises'
import { askModel, sendTurn } from './client.ts'
import { prepareConversations } from './conversations.ts'
import { median, ms, p95, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'

const budgetMs = 20
/** One chunk of text every half a second and stream. */
const everyMs = 500
const measuredMs = 8_000
/** Time between the opening of two: how fast a burst of new turns is taken is another question. */
const openingMs = { model: 4, product: 20 }

/** Opens the streams one by one, lets them all flow for a while, and keeps the delays of that time only. */
async function flow(
  { count, openingMs: betweenMs }: { count: number; openingMs: number },
  open: (index: number, tokens: number, onToken: (delayMs: number) => void) => Promise<unknown>,
  whileOpen: () => Promise<void>,
): Promise<number[]> {
  const delaysMs: number[] = []
  let measuring = false
  const onToken = (delayMs: number) => {
    if (measuring) delaysMs.push(delayMs)
  }
  const streams: Promise<unknown>[] = []
  const openingTotalMs = count * betweenMs
  // even the first one must outlive the opening of the last
  const tokens = Math.ceil((openingTotalMs * 1.5 + measuredMs) / everyMs) + 4
  const startedAt = performance.now()
  for (let index = 0; index < count; index += 1) {
    streams.push(open(index, tokens, onToken))
    await sleep(Math.max(0, startedAt + (index + 1) * betweenMs - performance.now()))
  }
  await sleep(1_000)
  measuring = true
  const endsAt = performance.now() + measuredMs
  while (performance.now() < endsAt) {
    await sleep(1_000)
    await whileOpen()
  }
  measuring = false
  await Promise.all(streams)
  return delaysMs
}

async function streams(product: Product, count: number): Promise<Figure[]> {
  const conversations = await prepareConversations(product, count, 2)
  const pace = (tokens: number) => ({ firstTokenMs: 0, tokens, everyMs })
  const idle = await product.usage()
  let most = idle.rssMb
  let usage = idle
  let time = performance.now()
  const shares: number[] = []
  const look = async () => {
    const now = await product.usage()
    const nowTime = performance.now()
    if (usage !== idle) shares.push((now.cpuMs - usage.cpuMs) / (nowTime - time))
    usage = now
    time = nowTime
    most = Math.max(most, now.rssMb)
  }
  const direct = await flow(
    { count, openingMs: openingMs.model },
    (_, tokens, onToken) => askModel(product, { pace: pace(tokens), onToken }),
    async () => undefined,
  )
  const through = await flow(
    { count, openingMs: openingMs.product },
    (index, tokens, onToken) =>
      sendTurn(product, { sessionId: conversations[index] ?? '', pace: pace(tokens), onToken }),
    look,
  )
  const added = p95(through) - p95(direct)
  return [
    {
      what: `Delay of a chunk with ${count} open streams, p50 / p95 (${through.length} chunks, ${1_000 / everyMs} a second and stream)`,
      measured: `${ms(median(through))} / ${ms(p95(through))}`,
      budget: `p95 < ${budgetMs} ms`,
      met: p95(through) < budgetMs,
    },
    {
      what: 'The same streams from the model directly, p50 / p95; added at p95',
      measured: `${ms(median(direct))} / ${ms(p95(direct))}; ${ms(added)}`,
    },
    {
      what: 'Memory of the handlers’ process before / with them open; share of a core',
      measured: `${idle.rssMb.toFixed(0)} / ${most.toFixed(0)} MB; ${(median(shares) * 100).toFixed(0)} %`,
    },
  ]
}

export const streamsBench: Bench = {
  name: 'streams',
  title: 'Streams held by one process',
  async run({ profileTo }) {
    const product = await startProduct(profileTo)
    try {
      return [...(await streams(product, 100)), ...(await streams(product, 500))]
    } finally {
      await product.end()
    }
  },
}
