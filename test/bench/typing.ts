import type { Browser } from 'playwright-core'
import { maxMessageCharacters } from '../../shared/limits.ts'
import { composer, signIn } from './browser.ts'
import { browserBench } from './browser-bench.ts'
import { median, ms, p95, type Figure } from './figures.ts'
import { frameMs, measureMainThread } from './main-thread.ts'
import type { Product } from './product.ts'

const keys = 40
/** One key has all of these frames to itself. */
const keyDelayMs = 120

const texts = {
  'short text': 'A short text. ',
  'text of 99,000 characters in 1,000 lines': `${'word '.repeat(20).trim()}\n`.repeat(
    maxMessageCharacters / 100 - 10,
  ),
  'text of 99,000 characters in one line': 'word '.repeat(maxMessageCharacters / 5 - 200),
}

async function measure(browser: Browser, product: Product): Promise<Figure[]> {
  const page = await browser.newPage({ baseURL: product.origin })
  await page.goto('/auth')
  await signIn(page, product.user)
  const figures: Figure[] = []
  for (const [what, text] of Object.entries(texts)) {
    await page.locator(composer).fill(text)
    await page.locator(composer).press('Control+End')
    // what the text itself causes, such as storing it, is over
    await page.waitForTimeout(2_000)
    const { busyMs, longestTaskMs } = await measureMainThread(browser, page, () =>
      page.keyboard.type('x'.repeat(keys), { delay: keyDelayMs }),
    )
    // a key's frames are its busiest ones: others only have the caret
    const ofKeys = busyMs.toSorted((a, b) => b - a).slice(0, keys)
    figures.push({
      what: `A key in the composer, in a ${what}: main thread busy, p50 / p95 of ${keys}; the longest task`,
      measured: `${ms(median(ofKeys))} / ${ms(p95(ofKeys))}; ${ms(longestTaskMs)}`,
      budget: `p95 < ${ms(frameMs)}`,
      met: p95(ofKeys) < frameMs,
    })
  }
  return figures
}

export const typingBench = browserBench('typing', 'Typing into a long text', measure)
