import { setTimeout as wait } from 'node:timers/promises'
import type { LocalStack } from '../support/local-stack.ts'
import type { DrivenBrowser } from './web-drivers.ts'

export const stepMs = 60_000
export const pollMs = 100
export const keys = { tab: '\uE004', enter: '\uE007', escape: '\uE00C', control: '\uE009' }

export const describe = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')

export const readPage = async (browser: DrivenBrowser) =>
  String(await browser.evaluate('document.body.innerText').catch(describe))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)

/** Waits until an expression is true in the page. A page that is being replaced cannot be asked. */
export async function until(browser: DrivenBrowser, what: string, expression: string): Promise<void> {
  const endAt = Date.now() + stepMs / 2
  while (!(await browser.evaluate(expression).catch(() => false))) {
    if (Date.now() > endAt) throw new Error(`${what} did not happen`)
    await wait(pollMs)
  }
}

/** Runs in the page: the centre of the first visible element of this name, at rest. */
function locate(selector: string, name: string): { x: number; y: number } | null {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    const label = (element as HTMLInputElement).labels?.[0]?.textContent
    const own = element.getAttribute('aria-label') ?? label ?? element.textContent
    if (!own.trim().startsWith(name) || element.matches(':disabled')) continue
    const { width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    const box = element.getBoundingClientRect()
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const top = document.elementFromPoint(centre.x, centre.y)
    if (top && (element.contains(top) || top.contains(element))) return centre
  }
  return null
}

export const button = 'button, a[href], [role=button], [role=menuitem], [role=option]'
export const locating = (selector: string, name: string) =>
  `(${locate.toString()})(${JSON.stringify(selector)}, ${JSON.stringify(name)})`

/** Clicks the element once it is there and at rest. */
export async function click(browser: DrivenBrowser, name: string, selector = button): Promise<void> {
  const endAt = Date.now() + stepMs / 2
  let last = ''
  for (;;) {
    const found = await browser.evaluate(locating(selector, name)).catch(() => null)
    const place = JSON.stringify(found)
    if (found && place === last) return browser.click(found as { x: number; y: number })
    last = place
    if (Date.now() > endAt) throw new Error(`there is no “${name}” to click`)
    await wait(pollMs)
  }
}

export const text = (words: string) => `document.body.innerText.includes(${JSON.stringify(words)})`
export const sees = (browser: DrivenBrowser, words: string) => until(browser, `“${words}”`, text(words))
export const composer = '[data-composer]'
export const isAnswering = `[...document.querySelectorAll('button')].some((one) => one.ariaLabel?.startsWith('Stop'))`

export async function send(browser: DrivenBrowser, message: string): Promise<void> {
  await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
  await click(browser, '', composer)
  await browser.press(message + keys.enter)
}
export const waitForReply = (browser: DrivenBrowser) =>
  until(browser, 'the end of the reply', `!${isAnswering}`)

export async function startChat(browser: DrivenBrowser, stack: LocalStack): Promise<void> {
  await browser.open(`${stack.origin}/`)
  await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
}
