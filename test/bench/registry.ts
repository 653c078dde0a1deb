import { setTimeout as sleep } from 'node:timers/promises'
import type { RouteName } from '#shared/routes.ts'
import { routes } from '#shared/routes.ts'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { launch, recordFirstMatch, signIn, usableWithinMs } from './browser.ts'
import { type Bench, type Figure, median, ms, p95 } from './figures.ts'
import { type Product, startProduct } from './product.ts'

const entriesOfSync = 10_000
const entriesOfSearch = 20_000
const runs = 7
const searchCount = 200
const words = [
  'notes',
  'mail',
  'calendar',
  'sales',
  'weather',
  'issues',
  'music',
  'maps',
  'invoices',
  'search',
]
const terms = [...words, 'example.com', 'nothing like it', 'a', 'notes 1234', 'helps with mail']

/** Entries of the registry's average size: names, a line of text, an address. */
function publishedEntry(index: number) {
  const word = words[index % words.length] ?? ''
  return {
    name: `com.example-${index % 900}/${word}-${index}`,
    title: `${word} ${index}`,
    url: `https://mcp-${index}.example.com/mcp`,
    description: `Helps with ${word}: reads, writes and finds what belongs to team ${index % 97}, for all who work there.`,
  }
}

/** Calls the product; white space may precede the JSON of a slow response. */
async function ask(product: Product, route: RouteName, more: { query?: string; body?: object } = {}) {
  const { method, path } = routes[route]
  const response = await fetch(`${product.origin}${path}${more.query ?? ''}`, {
    method,
    headers: { authorization: `Bearer ${product.accessToken}`, 'content-type': 'application/json' },
    ...(more.body && { body: JSON.stringify(more.body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`)
  return JSON.parse(text) as unknown
}

async function measureSync(product: Product, kind: 'force' | 'enhanced') {
  const before = await product.writeUnits()
  const { rssMb: memoryBefore } = await product.usage()
  let peakMemory = memoryBefore
  let running = true
  const watch = (async () => {
    while (running) {
      peakMemory = Math.max(peakMemory, (await product.usage()).rssMb)
      await sleep(50)
    }
  })()
  const startedAt = performance.now()
  await ask(product, 'registry.refresh', { body: { kind } })
  const tookMs = performance.now() - startedAt
  running = false
  await watch
  return { tookMs, writes: (await product.writeUnits()) - before, memoryBefore, peakMemory }
}

const formatSync = ({ tookMs, writes, memoryBefore, peakMemory }: Awaited<ReturnType<typeof measureSync>>) =>
  `${(tookMs / 1_000).toFixed(2)} s; ${writes} write units; ${memoryBefore.toFixed(0)} → ${peakMemory.toFixed(0)} MB`

async function searchFigure(product: Product): Promise<Figure> {
  const p95s: number[] = []
  const medians: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const times: number[] = []
    for (let index = 0; index < searchCount; index += 1) {
      const term = terms[index % terms.length] ?? ''
      const startedAt = performance.now()
      await ask(product, 'registry.search', {
        query: `?${new URLSearchParams({ term, page: '1', limit: '20' })}`,
      })
      times.push(performance.now() - startedAt)
    }
    p95s.push(p95(times))
    medians.push(median(times))
  }
  const spread = `${ms(Math.min(...p95s))} to ${ms(Math.max(...p95s))}`
  return {
    what: `A search over ${entriesOfSearch.toLocaleString('en')} entries, asked over HTTP: p50 / p95, medians of ${runs} runs of ${searchCount} (p95: ${spread})`,
    measured: `${ms(median(medians))} / ${ms(median(p95s))}`,
  }
}

/** From navigation to the first card, on the page's clock, with an empty cache and a stored sign-in. */
async function pageFigure(product: Product): Promise<Figure> {
  const browser = await launch()
  try {
    const context = await browser.newContext({ baseURL: product.origin })
    const page = await context.newPage()
    await page.goto('/auth')
    await signIn(page, product.user)
    const storageState = await context.storageState()
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const fresh = await browser.newContext({ baseURL: product.origin, storageState })
      const catalogue = await fresh.newPage()
      await catalogue.addInitScript(recordFirstMatch, 'main article')
      await catalogue.goto('/integrations')
      await catalogue.locator('main article').first().waitFor({ timeout: usableWithinMs })
      times.push(await catalogue.evaluate(() => Number(document.documentElement.dataset['matchedAt'])))
      await fresh.close()
    }
    return {
      what: `/integrations opened to the first cards, cold cache, ${entriesOfSearch.toLocaleString('en')} entries: median of ${runs} (${ms(Math.min(...times))} to ${ms(Math.max(...times))})`,
      measured: ms(median(times)),
    }
  } finally {
    await browser.close()
  }
}

/** A registry of a known size is synced, synced again, searched, and shown. */
export const registryBench: Bench = {
  name: 'registry',
  title: 'The registry: syncs and search',
  async run() {
    await ensureWebBuild()
    const registry = await startMcpRegistry()
    const product = await startProduct(undefined, {
      MCP_REGISTRY_URL: registry.url,
      GITHUB_API_URL: registry.url,
    })
    try {
      registry.published.push(...Array.from({ length: entriesOfSync }, (_, index) => publishedEntry(index)))
      const full = await measureSync(product, 'force')
      const unchanged = await measureSync(product, 'enhanced')
      while (registry.published.length < entriesOfSearch)
        registry.published.push(publishedEntry(registry.published.length))
      const larger = await measureSync(product, 'force')
      const count = entriesOfSync.toLocaleString('en')
      return [
        {
          what: `A first sync of ${count} entries: time, writes, memory of the handlers’ process before → most`,
          measured: formatSync(full),
        },
        {
          what: `The next one, nothing changed`,
          measured: formatSync(unchanged),
          budget: 'next to no writes',
          met: unchanged.writes <= 10,
        },
        {
          what: `Full sync after ${(entriesOfSearch - entriesOfSync).toLocaleString('en')} more entries`,
          measured: formatSync(larger),
        },
        await searchFigure(product),
        await pageFigure(product),
      ]
    } finally {
      await product.end()
      await registry.close()
    }
  },
}
