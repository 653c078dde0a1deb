import type { Browser, Page } from 'playwright-core'
import { composer, signIn } from './browser.ts'
import { browserBench } from './browser-bench.ts'
import { prepareConversation } from './conversations.ts'
import { median, ms, p95, percentile, type Figure } from './figures.ts'
import { frameMs, measureMainThread, recordFrames, takeFrames } from './main-thread.ts'
import { question, type SampleText } from './pace.ts'
import type { Product } from './product.ts'

const frameBudgetMs = 8
const inputBudgetMs = 100
const taskBudgetMs = 50
/** For comparison: seconds of script within ten, in Hugging Face's chat-ui with a list of 10 KB. */
const scriptBudget = 1.1
const replyCharacters = 60 * 1024
const tokens = replyCharacters / 4
const longMessages = 1_000
/** Messages that the page shows when it opens a conversation. */
const shownAtOnce = 30
const replyTimeoutMs = 180_000

const stopButton = (page: Page) => page.getByRole('button', { name: /^Stop/ })

/** Sends a question that the model answers with this many tokens of markdown. */
async function ask(
  page: Page,
  perSecond: number,
  count = tokens,
  text: SampleText = 'markdown',
): Promise<void> {
  const pace = { firstTokenMs: 0, tokens: count, everyMs: 1_000 / perSecond, text }
  await page.locator(composer).fill(question(pace))
  await page.keyboard.press('Enter')
  await stopButton(page).waitFor()
}
const waitForReply = (page: Page) => stopButton(page).waitFor({ state: 'detached', timeout: replyTimeoutMs })

const formatSpread = (values: readonly number[]) =>
  `${ms(median(values))} / ${ms(p95(values))} / ${ms(Math.max(...values))}`

async function measureStreaming(browser: Browser, page: Page, perSecond: number): Promise<Figure[]> {
  const { busyMs, longestTaskMs, partSummary } = await measureMainThread(browser, page, async () => {
    await ask(page, perSecond)
    await waitForReply(page)
  })
  return [
    {
      what: `A reply of 60 KB of markdown at ${perSecond} tokens a second: main thread busy in a frame, p50 / p95 / most (${busyMs.length} frames with work)`,
      measured: formatSpread(busyMs),
      budget: `p95 ≤ ${frameBudgetMs} ms`,
      met: p95(busyMs) <= frameBudgetMs,
    },
    {
      what: `Its longest task, the whole rendering at its end included; of the whole time: ${partSummary}`,
      measured: ms(longestTaskMs),
    },
  ]
}

/** A reply of one endless block: the cost of a frame must not grow with its length. */
async function measureOneBlock(browser: Browser, page: Page, text: SampleText): Promise<Figure[]> {
  const perSecond = 250
  const { longestTaskMs, partSummary, scriptSeconds } = await measureMainThread(browser, page, async () => {
    await ask(page, perSecond, tokens, text)
    await waitForReply(page)
  })
  const scriptOfTen = scriptSeconds / (tokens / perSecond / 10)
  return [
    {
      what: `A reply of 60 KB that is one ${text}, at ${perSecond} tokens a second: script in 10 s (${partSummary})`,
      measured: `${scriptOfTen.toFixed(2)} s`,
      budget: `< ${scriptBudget} s`,
      met: scriptOfTen < scriptBudget,
    },
    {
      what: 'Its longest task, its end included',
      measured: ms(longestTaskMs),
      budget: `≤ ${taskBudgetMs} ms`,
      met: longestTaskMs <= taskBudgetMs,
    },
  ]
}

/** Runs in the page: the time from each key to the next paint. */
function recordInputs(): void {
  const inputs: number[] = []
  Object.assign(globalThis, { inputTimes: inputs })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') inputs.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

async function measureTyping(page: Page): Promise<Figure[]> {
  const perSecond = 250
  await ask(page, perSecond, perSecond * 25)
  await page.evaluate(recordInputs)
  const text = 'This is typed while the reply is written, letter by letter, as people do. '
  const startedAt = performance.now()
  let keyCount = 0
  while (performance.now() - startedAt < 20_000) {
    await page.keyboard.type(text, { delay: 60 })
    keyCount += text.length
  }
  const times = await page.evaluate(() => (globalThis as unknown as { inputTimes: number[] }).inputTimes)
  await waitForReply(page)
  await page.locator(composer).fill('')
  // keys that took less than 16 ms are not reported
  const all = [...times, ...Array.from({ length: Math.max(0, keyCount - times.length) }, () => 16)]
  return [
    {
      what: `Typing while a reply of ${perSecond} tokens a second is written, ${keyCount} keys: key to screen, p50 / p98 / most, in steps of 8 ms`,
      measured: `${ms(median(all))} / ${ms(percentile(all, 0.98))} / ${ms(Math.max(...all))}`,
      budget: `p98 < ${inputBudgetMs} ms`,
      met: percentile(all, 0.98) < inputBudgetMs,
    },
  ]
}

/**
 * Turns the wheel once a frame: 24,000 px a second at 60 frames a second.
 * @returns times between frames, in ms
 */
async function scroll(page: Page, byPx: number, isDone?: () => Promise<boolean>): Promise<number[]> {
  await page.evaluate(takeFrames)
  for (let turns = 0; turns < (isDone ? 2_000 : 400); turns += 1) {
    await page.mouse.wheel(0, byPx)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    if (turns % 50 === 0 && (await isDone?.())) break
  }
  return page.evaluate(takeFrames)
}

async function measureLongConversation(browser: Browser, page: Page, product: Product): Promise<Figure[]> {
  const sessionId = await prepareConversation(product, longMessages)
  await page.goto('/')
  await page.locator(composer).waitFor()
  const openingMs: number[] = []
  // every message has a heading with its author
  const messages = page.locator('main h2')
  for (let run = 0; run < 5; run += 1) {
    await page.goto(`/?c=${sessionId}`)
    // a loading conversation shows placeholders
    await messages.nth(shownAtOnce - 1).waitFor({ state: 'attached' })
    openingMs.push(
      await page.evaluate(() => {
        const [entry] = performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes('/api/sessions/'))
        return performance.now() - (entry?.startTime ?? Number.NaN)
      }),
    )
  }
  await page.mouse.move(640, 300)
  await page.evaluate(recordFrames)
  let up: number[] = []
  const { busyMs, longestTaskMs } = await measureMainThread(browser, page, async () => {
    up = await scroll(page, -400, async () => (await messages.count()) >= longMessages)
  })
  const shown = await messages.count()
  const down = await scroll(page, 400)
  await page.evaluate(() => {
    document.body.innerHTML = '<div style="height: 1000000px; background: linear-gradient(red, blue)"></div>'
  })
  const plain = await scroll(page, 400)
  return [
    {
      what: `Opening a conversation of ${longMessages} messages: from asking for it to its last message on the screen, least / median of 5`,
      measured: `${ms(Math.min(...openingMs))} / ${ms(median(openingMs))}`,
    },
    {
      what: `Scrolling from its end to its beginning by the wheel (${shown} messages shown then): between two frames, p50 / p95 / most of ${up.length}`,
      measured: formatSpread(up),
      budget: `p95 ≤ ${(frameMs * 1.1).toFixed(1)} ms`,
      met: p95(up) <= frameMs * 1.1,
    },
    {
      what: 'Main thread busy in a frame meanwhile, p50 / p95 / most; longest task',
      measured: `${formatSpread(busyMs)}; ${ms(longestTaskMs)}`,
    },
    {
      what: 'Scrolling back down, where nothing is rendered any more: between two frames, p50 / p95 / most',
      measured: formatSpread(down),
    },
    {
      what: 'Scrolling a page of one coloured box: between two frames, p50 / p95 / most',
      measured: formatSpread(plain),
    },
  ]
}

export const renderingBench = browserBench('rendering', 'Rendering of replies', async (browser, product) => {
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  await page.goto('/auth')
  await signIn(page, product.user)
  // the first reply includes loading the renderer
  await ask(page, 250, 500)
  await waitForReply(page)
  const figures: Figure[] = []
  for (const perSecond of [250, 500]) {
    await page.goto('/')
    figures.push(...(await measureStreaming(browser, page, perSecond)))
  }
  for (const text of ['list', 'table', 'code'] as const) {
    await page.goto('/')
    figures.push(...(await measureOneBlock(browser, page, text)))
  }
  await page.goto('/')
  figures.push(...(await measureTyping(page)), ...(await measureLongConversation(browser, page, product)))
  return figures
})
