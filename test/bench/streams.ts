import { setTimeout as sleep } from 'node:timers/promises'
import { askModel, sendTurn, sendTurnAndRead } from './client.ts'
import { prepareConversations } from './conversations.ts'
import { median, ms, p95, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'

const budgetMs = 20
/** One chunk of text every half a second and stream. */
const everyMs = 500
const measuredMs = 8_000
/** Time between opening two streams; this bench does not measure bursts. */
const openingMs = { model: 4, product: 20 }

/** Numbers of streams beyond the budget, tried until one fails. */
const excessCounts = [1_000, 2_000, 4_000]

/** Opens the streams one by one, and records delays only while all of them run. */
async function measureStreams(
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
  // even the first stream must still run when the last one is opened
  const tokens = Math.ceil((openingTotalMs * 1.5 + measuredMs) / everyMs) + 4
  const startedAt = performance.now()
  for (let index = 0; index < count; index += 1) {
    const stream = open(index, tokens, onToken)
    // one that breaks before all are open rejects the whole below
    stream.catch(() => undefined)
    streams.push(stream)
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

/** Memory and CPU time of the handlers' process under a load of streams. */
async function watchUsage(product: Product) {
  const idle = await product.usageAfterGc()
  let peak = idle
  let last: { cpuMs: number; atMs: number } | undefined
  const shares: number[] = []
  return {
    async sample() {
      const now = await product.usage()
      const atMs = performance.now()
      if (last) shares.push((now.cpuMs - last.cpuMs) / (atMs - last.atMs))
      last = { cpuMs: now.cpuMs, atMs }
      if (now.rssMb > peak.rssMb) peak = now
    },
    async figure(): Promise<Figure> {
      // freed memory returns to the system with a delay
      await product.usageAfterGc()
      await sleep(2_000)
      const after = await product.usageAfterGc()
      const mb = (value: number) => value.toFixed(0)
      return {
        what: 'Resident memory of the handlers’ process before / with them open / after them; its heap before and after; share of a core',
        measured: `${mb(idle.rssMb)} / ${mb(peak.rssMb)} / ${mb(after.rssMb)} MB; ${mb(idle.heapMb)} and ${mb(after.heapMb)} MB; ${(median(shares) * 100).toFixed(0)} %`,
      }
    },
  }
}

const pace = (tokens: number) => ({ firstTokenMs: 0, tokens, everyMs })

/** @returns the delays of all chunks through the product */
async function measureDelays(
  product: Product,
  count: number,
  watched: { sample(): Promise<void> },
): Promise<number[]> {
  const conversations = await prepareConversations(product, count, 2)
  return measureStreams(
    { count, openingMs: openingMs.product },
    (index, tokens, onToken) =>
      sendTurn(product, { sessionId: conversations[index] ?? '', pace: pace(tokens), onToken }),
    () => watched.sample(),
  )
}

/** Two more streams with slow readers: one reads a byte a second, one nothing. */
async function openSlowReaders(product: Product, count: number): Promise<() => void> {
  const tokens = Math.ceil((count * openingMs.product * 1.5 + measuredMs) / everyMs) + 4
  const [one = '', other = ''] = await prepareConversations(product, 2, 2)
  const leave = [
    sendTurnAndRead(product, { sessionId: one, pace: pace(tokens) }, 1_000),
    sendTurnAndRead(product, { sessionId: other, pace: pace(tokens) }, 'never'),
  ]
  return () => leave.forEach((cut) => cut())
}

async function compareStreams(product: Product, count: number): Promise<Figure[]> {
  const direct = await measureStreams(
    { count, openingMs: openingMs.model },
    (_, tokens, onToken) => askModel(product, { pace: pace(tokens), onToken }),
    async () => undefined,
  )
  const watched = await watchUsage(product)
  const leave = await openSlowReaders(product, count)
  const delaysMs = await measureDelays(product, count, watched)
  leave()
  const added = p95(delaysMs) - p95(direct)
  return [
    {
      what: `Delay of a chunk with ${count} open streams and two slow readers, p50 / p95 (${delaysMs.length} chunks, ${1_000 / everyMs} a second and stream)`,
      measured: `${ms(median(delaysMs))} / ${ms(p95(delaysMs))}`,
      budget: `p95 < ${budgetMs} ms`,
      met: p95(delaysMs) < budgetMs,
    },
    {
      what: 'The same streams from the model directly, p50 / p95; added at p95',
      measured: `${ms(median(direct))} / ${ms(p95(direct))}; ${ms(added)}`,
    },
    await watched.figure(),
  ]
}

/** Adds streams until chunks are late or a stream breaks. */
async function measureBeyond(product: Product): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of excessCounts) {
    const watched = await watchUsage(product)
    const delaysMs = await measureDelays(product, count, watched).catch((error: unknown) => String(error))
    const broken = typeof delaysMs === 'string'
    figures.push({
      what: `Delay of a chunk with ${count.toLocaleString('en')} open streams, p50 / p95`,
      measured: broken ? delaysMs.slice(0, 80) : `${ms(median(delaysMs))} / ${ms(p95(delaysMs))}`,
    })
    if (broken) break
    figures.push(await watched.figure())
    if (p95(delaysMs) > budgetMs) break
  }
  return figures
}

export const streamsBench: Bench = {
  name: 'streams',
  title: 'Open streams in one process',
  async run({ profileTo }) {
    const product = await startProduct(profileTo)
    try {
      return [
        ...(await compareStreams(product, 100)),
        ...(await compareStreams(product, 500)),
        ...(await measureBeyond(product)),
      ]
    } finally {
      await product.end()
    }
  },
}
