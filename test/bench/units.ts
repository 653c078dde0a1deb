import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { composer, launch, signIn, usableWithinMs } from './browser.ts'
import { prepareConversation } from './conversations.ts'
import { kb, type Bench, type Figure } from './figures.ts'
import { question, type Pace } from './pace.ts'
import { startProduct, type Product } from './product.ts'
import { noteRequests, settled } from '../support/settled.ts'

/**
 * Counts the billed units of a turn and of a visit. `infra/operate/cost/units.ts` has the figures for computing the bill without
 * measuring again.
 */

/** A reply of this many seconds: the model waits for a second, then writes 160 characters (40 tokens) a second. */
const buildPace = (seconds: number): Pace => ({
  firstTokenMs: 1_000,
  tokens: (seconds - 1) * 10,
  everyMs: 100,
})
const replySeconds = [2, 10, 30]
const questionCharacters = 120
const messagesBefore = 10

interface Units {
  writes: number
  reads: number
  logBytes: number
}

async function measureUnits(product: Product, work: () => Promise<void>): Promise<Units> {
  const read = async (): Promise<Units> => ({
    writes: await product.writeUnits(),
    reads: await product.readUnits(),
    logBytes: await product.logBytes(),
  })
  const before = await read()
  await work()
  await product.settledWriteUnits()
  const after = await read()
  return {
    writes: after.writes - before.writes,
    reads: after.reads - before.reads,
    logBytes: after.logBytes - before.logBytes,
  }
}

const formatUnits = ({ writes, reads, logBytes }: Units) =>
  `${writes} WRU, ${reads} RRU, ${logBytes} bytes of log`

async function measureTurn(product: Product, seconds: number): Promise<Figure[]> {
  const sessionId = await prepareConversation(product, messagesBefore)
  const storedBefore = await product.messageBytes(sessionId)
  let streamedBytes = 0
  const charged = await measureUnits(product, async () => {
    const response = await fetch(`${product.origin}/functions/v1/chat-openai`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.accessToken}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        sessionId,
        messageId: randomUUID(),
        messages: [{ role: 'user', content: question(buildPace(seconds), questionCharacters) }],
      }),
    })
    streamedBytes = (await response.arrayBuffer()).byteLength
  })
  const storedBytes = (await product.messageBytes(sessionId)) - storedBefore
  return [
    {
      what: `A turn of ${seconds} s in a conversation of ${messagesBefore} messages`,
      measured: `${formatUnits(charged)}, ${kb(streamedBytes)} streamed, ${storedBytes} bytes stored`,
    },
  ]
}

/** The browser's requests by CloudFront origin, and the bytes received. */
async function countRequests(page: Page, origin: string) {
  const counts = { api: 0, files: 0, bytes: 0 }
  const routes = new Set<string>()
  const sentBy = new Map<string, 'api' | 'files'>()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const url = new URL(request.url)
    if (url.origin !== origin) return
    const isApi = /^\/(api|functions)\//.test(url.pathname)
    sentBy.set(requestId, isApi ? 'api' : 'files')
    if (isApi) routes.add(`${request.method} ${url.pathname}`)
  })
  network.on('Network.requestServedFromCache', ({ requestId }) => sentBy.delete(requestId))
  network.on('Network.responseReceived', ({ requestId, response }) => {
    const kind = sentBy.get(requestId)
    if (!kind) return
    if (response.fromDiskCache) sentBy.delete(requestId)
    else counts[kind] += 1
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (sentBy.has(requestId)) counts.bytes += encodedDataLength
  })
  return {
    routes,
    takeCounts() {
      const taken = { ...counts }
      Object.assign(counts, { api: 0, files: 0, bytes: 0 })
      return taken
    },
  }
}

async function measureVisits(product: Product): Promise<Figure[]> {
  const browser = await launch()
  try {
    const context = await browser.newContext({ baseURL: product.origin })
    const first = await context.newPage()
    await first.goto('/auth')
    await signIn(first, product.user)
    const storageState = await context.storageState()
    await first.close()

    const fresh = await browser.newContext({ baseURL: product.origin, storageState })
    const page = await fresh.newPage()
    noteRequests(page)
    const requests = await countRequests(page, product.origin)
    const figures: Figure[] = []
    const open = async () => {
      await page.goto('/')
      await page.locator(composer).waitFor({ timeout: usableWithinMs })
      await settled(page)
    }
    for (const [cache, how] of [
      ['empty', 'with an empty cache'],
      ['kept', 'again, with a warm cache'],
    ]) {
      const charged = await measureUnits(product, open)
      const { api, files, bytes } = requests.takeCounts()
      figures.push({
        what: `The page opened ${how}: requests to functions, to files, bytes over the network`,
        measured: `${api}, ${files}, ${kb(bytes)}; ${formatUnits(charged)}`,
      })
      if (cache === 'kept') continue
      figures.push({ what: 'Requested routes', measured: [...requests.routes].toSorted().join(', ') })
    }
    const charged = await measureUnits(product, async () => {
      await page.locator(composer).fill(question(buildPace(10), questionCharacters))
      await page.keyboard.press('Enter')
      const stop = page.getByRole('button', { name: /^Stop/ })
      await stop.waitFor()
      await stop.waitFor({ state: 'detached', timeout: usableWithinMs })
      await page.waitForTimeout(2_000)
    })
    const { api, files } = requests.takeCounts()
    figures.push({
      what: 'The first turn in a new conversation of the page: requests to functions, to files',
      measured: `${api}, ${files}; ${formatUnits(charged)}`,
    })
    return figures
  } finally {
    await browser.close()
  }
}

export const billedUnitsBench: Bench = {
  name: 'units',
  title: 'Billed units',
  async run({ profileTo }) {
    await ensureWebBuild()
    const product = await startProduct(profileTo)
    try {
      const turns: Figure[] = []
      for (const seconds of replySeconds) turns.push(...(await measureTurn(product, seconds)))
      return [...turns, ...(await measureVisits(product))]
    } finally {
      await product.end()
    }
  },
}
