import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, CDPSession, ConsoleMessage, Disposable, Page } from 'playwright-core'
import { expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { noteRequests } from './settled.ts'
import { findWaitLimitMs } from './time-limits.ts'

/**
 * Browser tests: one Chromium per worker, pages that are cleared between tests, and the rule that anything the page complains about
 * (console error, uncaught error, breach of the content security policy, crash) makes the test red unless it was expected.
 */

/** A request that may fail: its address, and the status it may fail with, or 'network' for no response at all. */
export interface ExpectedFailure {
  readonly url: RegExp
  readonly status: number | 'network'
}

export interface PageOptions {
  readonly baseURL: string
  /** default 1240 × 800, where the list of conversations opens over the page; phones are 390 × 844 */
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /** default 'reduce', because frames of animations cost processor time; `withMotion` for files about what moves */
  readonly reducedMotion?: 'reduce' | 'no-preference'
  readonly expected?: readonly ExpectedFailure[]
  /** default 'block': a service worker answers navigations before a test's `route` does */
  readonly serviceWorkers?: 'allow' | 'block'
  /** the browser's language, default `en-GB` */
  readonly locale?: string
  /** one that no test has used: what the tests before have loaded is in no cache */
  readonly isFirst?: boolean
}

/** Options of pages whose animations are part of what is tested. */
export const withMotion = { reducedMotion: 'no-preference' } as const

interface WatchedPage {
  readonly page: Page
  readonly expected: ExpectedFailure[]
  readonly problems: string[]
  /** stays as it is after a test that passes */
  isKept: boolean
}

type TabOptions = Required<Omit<PageOptions, 'expected' | 'isFirst'>>

/** A page with a context of its own, which a worker opens for tests one after another. */
interface Tab {
  readonly page: Page
  readonly options: TabOptions
  readonly session: CDPSession
  /** scripts that the test has added for each document */
  readonly scripts: Disposable[]
  /** has been changed in a way that cannot be taken back */
  isSpent: boolean
}

const screenshots = join(import.meta.dirname, '../../.local/screenshots')

let browser: Browser | undefined
const longestDelayMs = Number(process.env['NETWORK_DELAY_MS'] ?? 0)
const watchedPages = new Map<Page, WatchedPage>()
const tabs = new Map<Page, Tab>()
/** cleared, the last used first */
const freeTabs: Tab[] = []
/** each is a process of the browser */
const maxFreeTabs = 4

/** The browser of this worker, started on first use. It ends with the worker. */
async function openBrowser(): Promise<Browser> {
  if (!browser?.isConnected()) browser = await launchChromium()
  return browser
}

/**
 * A page in a context of its own: no cookies, no storage. After the test it is cleared for the next, or closed if it cannot be: to keep the
 * process and its cache halves the time that a page takes.
 */
export async function newPage({ expected = [], isFirst = false, ...given }: PageOptions): Promise<Page> {
  const options: TabOptions = {
    baseURL: given.baseURL,
    viewport: given.viewport ?? { width: 1240, height: 800 },
    colorScheme: given.colorScheme ?? 'light',
    reducedMotion: given.reducedMotion ?? 'reduce',
    serviceWorkers: given.serviceWorkers ?? 'block',
    locale: given.locale ?? 'en-GB',
  }
  const index = isFirst ? -1 : freeTabs.findIndex((tab) => isDeepStrictEqual(tab.options, options))
  const [{ page } = await openTab(options)] = index < 0 ? [] : freeTabs.splice(index, 1)
  watch(page, expected)
  return page
}

async function openTab(options: TabOptions): Promise<Tab> {
  const browserOfWorker = await openBrowser()
  const context = await browserOfWorker.newContext({ ...options, timezoneId: 'UTC' })
  context.setDefaultTimeout(findWaitLimitMs())
  await context.addInitScript(reportPolicyBreaches)
  await context.addInitScript(holdToasts)
  await delayResponses(context)
  const page = await context.newPage()
  await slowDown(page)
  const tab: Tab = {
    page,
    options,
    session: await context.newCDPSession(page),
    scripts: [],
    isSpent: options.serviceWorkers === 'allow' || longestDelayMs > 0,
  }
  tabs.set(page, tab)
  // the same rule holds for windows that the page opens (sign-in popups)
  context.on('page', (popup) => watch(popup, watchedPages.get(page)?.expected ?? []))
  page.on('crash', () => watchedPages.get(page)?.problems.push('the page crashed'))
  noteChanges(tab)
  return tab
}

/** Scripts that a test adds are taken back after it; what cannot be taken back closes the page. */
function noteChanges(tab: Tab): void {
  const { page } = tab
  const context = page.context()
  const addInitScript = page.addInitScript.bind(page)
  Object.assign(page, {
    addInitScript: async (...script: Parameters<Page['addInitScript']>) => {
      const added = await addInitScript(...script)
      tab.scripts.push(added)
      return added
    },
  })
  const spend = <Target extends object>(target: Target, ...names: (keyof Target)[]) => {
    for (const name of names) {
      const change = target[name] as (...args: unknown[]) => unknown
      Object.assign(target, {
        [name]: (...args: unknown[]) => {
          tab.isSpent = true
          return change.apply(target, args)
        },
      })
    }
  }
  spend(page.clock, 'install', 'pauseAt', 'setFixedTime', 'setSystemTime')
  spend(page, 'exposeBinding', 'exposeFunction')
  spend(context, 'addInitScript', 'exposeBinding', 'exposeFunction', 'newCDPSession')
}

/** Leads away from what the test has opened, and takes back what it has changed. A page of the same origin keeps its process. */
async function clear({ page, options, session, scripts }: Tab): Promise<void> {
  const context = page.context()
  const { origin } = new URL(options.baseURL)
  for (const event of listenedTo) page.removeAllListeners(event)
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    ...scripts.splice(0).map((script) => script.dispose().catch(() => undefined)),
  ])
  await page.goto(`${origin}/robots.txt`, { waitUntil: 'commit' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    window.name = ''
  })
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    session.send('Page.resetNavigationHistory'),
    context.clearCookies(),
    page.mouse.move(-1, -1),
    page.setViewportSize(options.viewport),
    page.emulateMedia({
      colorScheme: options.colorScheme,
      reducedMotion: options.reducedMotion,
      media: null,
      forcedColors: null,
      contrast: null,
    }),
  ])
}

const listenedTo = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]

const phone = { width: 390, height: 844 }
const wide = { width: 1240, height: 800 }

/** The themes of a size follow each other: the second changes colours only, so that of axe's rules it needs only the one for contrast. */
const looks = [
  { name: 'phone light', viewport: phone, colorScheme: 'light', rules: ['color-contrast'] },
  { name: 'phone dark', viewport: phone, colorScheme: 'dark', rules: [] },
  { name: 'wide dark', viewport: wide, colorScheme: 'dark', rules: ['color-contrast'] },
  { name: 'wide light', viewport: wide, colorScheme: 'light', rules: [] },
] as const

/** Waits two frames, until scripts have reacted to the size of the screen (such as a region that scrolls only when narrow). */
export const waitForFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/**
 * Checks the open page on a phone and on a wide screen, each in both themes; the wide, light one stays. Without animations, so that
 * no check reads a half-changed theme.
 * @param check gets the look's name and the axe rules that it needs (`findViolations(page, ...rules)`): all of them once for each size
 */
export async function forEachSizeAndTheme(
  page: Page,
  check: (look: string, rules: readonly string[]) => Promise<void>,
): Promise<void> {
  const isStill = await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  for (const { name, viewport, colorScheme, rules } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await waitForFrames(page)
    await check(name, rules)
  }
  // null would not bring back what the page was opened with
  await page.emulateMedia({ reducedMotion: isStill ? 'reduce' : 'no-preference' })
}

/** With `CPU_SLOWDOWN=8` the page runs eight times slower, which reveals race conditions. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['CPU_SLOWDOWN'] ?? 1)
  if (rate === 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/**
 * With `NETWORK_DELAY_MS=1200` each script and each response of the API comes up to 1.2 s later, at random, which reveals race conditions.
 * Requests that a test replaces are not delayed.
 */
async function delayResponses(context: BrowserContext): Promise<void> {
  if (longestDelayMs === 0) return
  await context.route(/\/(?:api|assets)\//, async (route) => {
    try {
      // the response is older then than what happens meanwhile; others may be streams, and `fetch` works even if the page is offline
      const isRead = route.request().method() === 'GET' && /\/api\//.test(route.request().url())
      const response = isRead ? await route.fetch({ maxRedirects: 0 }) : undefined
      await delay(Math.random() * longestDelayMs)
      await (response ? route.fulfill({ response }) : route.continue())
    } catch {
      // the page is closed, or the product is stopped
      await route.abort().catch(() => undefined)
    }
  })
}

/** Runs in the page: reports a breach of the content security policy in words that match no expected failure. */
function reportPolicyBreaches(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
    console.error(`The content security policy refused ${blockedURI} (${effectiveDirective}, ${sourceFile})`),
  )
}

/**
 * Runs in the page: toasts, Undo and the block of an error stay. What a test does before it uses them takes longer on a slow machine than
 * the five or seven seconds that they are there. Other timers of that length do not fire either. With `page.clock` all of them fire when
 * the test moves the clock.
 */
function holdToasts(): void {
  const { setTimeout } = globalThis
  Object.assign(globalThis, {
    setTimeout: (...args: Parameters<typeof setTimeout>) =>
      args[1] === 5_000 || args[1] === 7_000 ? 0 : setTimeout(...args),
  })
}

/** From here on these requests of the page may fail. */
export function expectFailures(page: Page, ...expected: ExpectedFailure[]): void {
  watchedPages.get(page)?.expected.push(...expected)
}

/** What the page complained about since the last call, unexpected things only. */
export function takeProblems(page: Page): string[] {
  return watchedPages.get(page)?.problems.splice(0) ?? []
}

/** Takes a screenshot for people to look at, with `SCREENSHOTS=1` only. */
export async function screenshot(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  if (process.env['SCREENSHOTS']) await writeScreenshot(page, name, options)
}

/** Takes a screenshot on a phone and on a wide screen, each in both themes, with `SCREENSHOTS=1` only. */
export async function screenshotEachLook(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'])
    await forEachSizeAndTheme(page, (look) => writeScreenshot(page, `${name}-${look}`).then(() => undefined))
}

/**
 * Writes `.local/screenshots/<name>.png`, animations finished, fonts loaded.
 * @returns the file's path
 */
export async function writeScreenshot(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<string> {
  await mkdir(screenshots, { recursive: true })
  const path = join(screenshots, `${name}.png`)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.screenshot({ path, animations: 'disabled', fullPage: options.fullPage ?? false })
  return path
}

function watch(page: Page, expected: readonly ExpectedFailure[]): void {
  if (watchedPages.has(page)) return
  const entry: WatchedPage = { page, expected: [...expected], problems: [], isKept: false }
  watchedPages.set(page, entry)
  noteRequests(page)
  page.on('console', (message) => {
    if (message.type() === 'error' && !selfTest.test(message.text()) && !isExpected(message, entry.expected))
      entry.problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => entry.problems.push(`uncaught: ${error.stack ?? error.message}`))
}

/** What a frame of the sandbox tries before its document runs, to be refused. */
const selfTest = /https:\/\/(?:import|fetch)\.invalid\//

/** Chromium writes one console error for each request that fails; its place is the request's address. */
function isExpected(message: ConsoleMessage, expected: readonly ExpectedFailure[]): boolean {
  const text = message.text()
  const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1]
  const isNetwork = text.startsWith('Failed to load resource: net::')
  return expected.some(
    (one) =>
      one.url.test(message.location().url) &&
      (one.status === 'network' ? isNetwork : status === String(one.status)),
  )
}

/** Lets the page stay as it is after tests that pass; `closePage` ends that. Its routes and expected failures end with each test. */
export function keepPage(page: Page): void {
  const watched = watchedPages.get(page)
  if (watched) watched.isKept = true
}

/** Removes what a page has stored, and keeps it for the next test that needs one. */
export async function closePage(page: Page): Promise<void> {
  watchedPages.delete(page)
  const tab = tabs.get(page)
  if (!tab) return // a window that a page has opened: it is closed with it
  if (!(await isCleared(tab))) {
    await closeTab(tab)
    return
  }
  freeTabs.unshift(tab)
  for (const old of freeTabs.splice(maxFreeTabs)) await closeTab(old)
}

async function isCleared(tab: Tab): Promise<boolean> {
  if (tab.isSpent) return false
  try {
    await clear(tab)
    return true
  } catch {
    return false // the product has been stopped
  }
}

async function closeTab({ page }: Tab): Promise<void> {
  tabs.delete(page)
  await page.context().close()
}

/** Ends every page of a test, with an image of each when the test failed. @throws when a page complained about something unexpected */
export async function closePages(test: {
  readonly name: string
  readonly hasFailed: boolean
}): Promise<void> {
  const problems: string[] = []
  for (const page of watchedPages.keys()) {
    if (test.hasFailed && !page.isClosed())
      await writeScreenshot(page, `failed ${test.name.replaceAll(/[^\w-]+/g, ' ').slice(0, 80)}`).catch(
        () => undefined,
      )
    problems.push(...takeProblems(page))
  }
  const hasFailed = test.hasFailed || problems.length > 0
  const kept = new Set(
    [...watchedPages.values()].flatMap(({ page, isKept }) => (isKept ? [page.context()] : [])),
  )
  for (const { page, expected, isKept } of watchedPages.values()) {
    const tab = tabs.get(page)
    if (tab && hasFailed) tab.isSpent = true
    if (hasFailed || !kept.has(page.context())) await closePage(page)
    else if (isKept) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expected.length = 0
    } else {
      // a window that the kept page has opened
      watchedPages.delete(page)
      await page.close()
    }
  }
  expect(problems, 'the page complained').toEqual([])
}
