import { readFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Metric } from 'web-vitals'
import { listen } from '../../infra/local/listen.ts'
import { composer, signIn, usableWithinMs } from './browser.ts'
import { browserBench } from './browser-bench.ts'
import { median, ms, type Figure } from './figures.ts'
import { question } from './pace.ts'
import type { Product } from './product.ts'
import { noteRequests, settled } from '../support/settled.ts'

const runs = 5
const cpuSlowdown = 4
/** Slow 4G as Chromium's DevTools and Lighthouse apply it to each request: 1.6 Mbit/s and 150 ms, with what connections cost on top. */
const slow4g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1_474.56 * 1_024) / 8,
  uploadThroughput: (675 * 1_024) / 8,
}
const budgets = { LCP: 2_500, CLS: 0.1, INP: 200 }

type Vital = keyof typeof budgets
type Vitals = Partial<Record<Vital, Pick<Metric, 'value'> & { at: string }>>

/** A proxy in place of the distribution: it compresses text. */
async function startDistribution(origin: string) {
  const compressed = /^(text\/(?!event-stream)|application\/(json|javascript)|image\/svg)/
  const server = createServer((incoming, response) => {
    const upstreamRequest = request(new URL(incoming.url ?? '/', origin), {
      method: incoming.method,
      headers: incoming.headers,
    })
    upstreamRequest.on('response', (upstreamResponse: IncomingMessage) => {
      // the client may have disconnected
      if (response.destroyed) return void upstreamResponse.destroy()
      const { 'content-length': _, ...headers } = upstreamResponse.headers
      const isText = compressed.test(headers['content-type'] ?? '')
      response.writeHead(
        upstreamResponse.statusCode ?? 502,
        isText ? { ...headers, 'content-encoding': 'gzip' } : upstreamResponse.headers,
      )
      const ignoreError = () => undefined
      if (isText) pipeline(upstreamResponse, createGzip(), response, ignoreError)
      else pipeline(upstreamResponse, response, ignoreError)
    })
    upstreamRequest.on('error', () => response.destroy())
    incoming.pipe(upstreamRequest)
  })
  return listen(server)
}

/** The library's global name in the page. */
declare const webVitals: typeof import('web-vitals/attribution')

/** Shorter times from a key or click to the next paint are not reported. */
const leastInputMs = 16

/** Runs in the page after the library: stores the newest value of each vital and its element. */
function noteVitals(durationThreshold: number): void {
  const vitals: Vitals = {}
  Object.assign(globalThis, { vitals })
  const all = { reportAllChanges: true }
  webVitals.onLCP(({ value, attribution }) => {
    vitals.LCP = { value, at: attribution.target ?? '' }
  }, all)
  webVitals.onCLS(({ value, attribution }) => {
    vitals.CLS = { value, at: attribution.largestShiftTarget ?? '' }
  }, all)
  webVitals.onINP(
    ({ value, attribution }) => {
      vitals.INP = { value, at: `${attribution.interactionType} ${attribution.interactionTarget}` }
    },
    { ...all, durationThreshold },
  )
}

const library = join(
  createRequire(import.meta.url).resolve('web-vitals'),
  '../web-vitals.attribution.iife.js',
)

/** Opens an address with an empty cache, uses the page, and returns its vitals. */
async function visit(
  browser: Browser,
  options: BrowserContextOptions,
  path: string,
  act: (page: Page) => Promise<void>,
): Promise<Vitals> {
  // a phone's screen size
  const context = await browser.newContext({ ...options, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  noteRequests(page)
  page.setDefaultTimeout(usableWithinMs)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await page.addInitScript(`${await readFile(library, 'utf8')};(${noteVitals.toString()})(${leastInputMs})`)
  await page.goto(path)
  await act(page)
  // a paint after the last action
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next, 100))))
  const vitals = await page.evaluate(() => (globalThis as unknown as { vitals: Vitals }).vitals)
  await context.close()
  return vitals
}

async function actOnSignIn(page: Page): Promise<void> {
  await page.locator('input[type=password]:enabled').waitFor()
  await settled(page)
  await page.locator('input[type=email]').pressSequentially('somebody@example.com', { delay: 50 })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Full name').pressSequentially('Somebody', { delay: 50 })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('[aria-invalid]').first().waitFor()
}

async function actOnChat(page: Page): Promise<void> {
  await page.locator(composer).waitFor()
  await settled(page)
  await page
    .locator(composer)
    .fill(question({ firstTokenMs: 100, tokens: 500, everyMs: 10, text: 'markdown' }))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Stop/ }).waitFor()
  await page.locator(composer).pressSequentially('Typed while it answers', { delay: 50 })
  await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Your Conversations' }).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /account menu$/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  await page.keyboard.press('Escape')
}

/** The values of vitals that were not reported. */
const missingValues = { LCP: Number.NaN, CLS: 0, INP: leastInputMs }

const formatVital = (vital: Vital, value: number) => (vital === 'CLS' ? value.toFixed(3) : ms(value))

function buildFigures(what: string, visits: readonly Vitals[]): Figure[] {
  return (Object.keys(budgets) as Vital[]).map((vital) => {
    const values = visits.map((vitals) => vitals[vital]?.value ?? missingValues[vital])
    const worst = Math.max(...values)
    const { at } = visits.map((vitals) => vitals[vital]).find((one) => one?.value === worst) ?? { at: '' }
    return {
      what: `${vital} of ${what}, median / worst of ${runs}${at === '' ? '' : `; the worst at ${at}`}`,
      measured: `${formatVital(vital, median(values))} / ${formatVital(vital, worst)}`,
      budget: `< ${formatVital(vital, budgets[vital])}`,
      met: worst < budgets[vital],
    }
  })
}

async function measure(browser: Browser, product: Product): Promise<Figure[]> {
  const front = await startDistribution(product.origin)
  try {
    const options = { baseURL: front.url }
    const signInContext = await browser.newContext(options)
    // the user pool allows the product's own origin only
    await signInContext.route(
      (url) => url.origin !== front.url,
      async (route) => {
        const headers = { ...route.request().headers(), origin: product.origin }
        const response = await route.fetch({ headers })
        const headersWithCors = { ...response.headers(), 'access-control-allow-origin': front.url }
        await route.fulfill({ response, headers: headersWithCors })
      },
    )
    const page = await signInContext.newPage()
    await page.goto('/auth')
    await signIn(page, product.user)
    // signed in, but with an empty cache
    const storageState = await signInContext.storageState()
    await signInContext.close()
    const auth: Vitals[] = []
    const chat: Vitals[] = []
    for (let run = 0; run < runs; run += 1) {
      auth.push(await visit(browser, options, '/auth', actOnSignIn))
      chat.push(await visit(browser, { ...options, storageState }, '/', actOnChat))
    }
    return [
      ...buildFigures('/auth, typing, going to the other form and back, sending', auth),
      ...buildFigures('/ signed in, asking, typing while it answers, opening the history and the menu', chat),
    ]
  } finally {
    await front.close()
  }
}

export const webVitalsBench = browserBench(
  'web-vitals',
  `Web vitals on a phone of ${cpuSlowdown}× less speed, over slow 4G (${slow4g.latency} ms a request, 1.47 Mbit/s down, 0.68 up)`,
  measure,
)
