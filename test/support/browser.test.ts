import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ExpectedFailure, expectFailures, newPage, takeProblems, writeScreenshot } from './browser.ts'
import { prepareChromium } from './chromium.ts'
import { settled } from './settled.ts'

const html = (body: string) => `<!doctype html><link rel="icon" href="data:,"><title>t</title>${body}`
const pages: Record<string, string> = {
  '/robots.txt': html(''),
  '/': html('<h1>Hello</h1>'),
  '/text': html('<p style="font: 40px sans-serif">AAAA</p>'),
  '/logs': html('<script>console.error("broken")</script>'),
  '/throws': html('<script>setTimeout(() => { throw new Error("late") })</script>'),
  '/asks': html('<script>fetch("/refused")</script>'),
  '/late': html(
    `<p>opened</p><script>
      const add = (text) => document.querySelector('p').append(text)
      fetch('/text').then(() => requestIdleCallback(() => fetch('/text').then(() => requestAnimationFrame(() => add(' and done')))))
    </script>`,
  ),
  '/outside': html('<img src="http://example.com/a.png">'),
}

let server: Server
let baseURL: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = pages[request.url ?? '']
    response.writeHead(body === undefined ? 400 : 200, {
      'content-type': 'text/html',
      ...(request.url === '/' && { 'content-security-policy': "default-src 'none'; img-src data:" }),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

it('renders text with different glyphs', async () => {
  const tab = await newPage({ baseURL })
  await tab.goto('/text')
  // on a canvas: Chromium refuses to take a screenshot now and then while the machine is busy
  const drawings = await tab.evaluate(() =>
    ['    ', 'AAAA', 'Wise'].map((text) => {
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.font = '40px sans-serif'
      context.fillText(text, 10, 60)
      return canvas.toDataURL()
    }),
  )
  expect(new Set(drawings).size).toBe(3)
})

it('writes a screenshot', { tags: 'trial' }, async () => {
  const tab = await newPage({ baseURL })
  await tab.goto('/text')
  expect(await writeScreenshot(tab, 'browser-harness')).toMatch(/browser-harness\.png$/)
})

it('opens a page with the given options', async () => {
  const phone = { width: 390, height: 844 }
  const tab = await newPage({ baseURL, viewport: phone, colorScheme: 'dark', reducedMotion: 'reduce' })
  await tab.goto('/text')
  const settings = await tab.evaluate(() => ({
    width: innerWidth,
    height: innerHeight,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }))
  expect(settings).toEqual({ ...phone, dark: true, still: true })
})

it('waits for what a page loads after a response, and when it is idle', async () => {
  const tab = await newPage({ baseURL })
  await tab.goto('/late')
  await settled(tab)
  expect(await tab.locator('p').allTextContents()).toEqual(['opened and done'])
})

describe('the next test', { shuffle: false }, () => {
  const openNext = () => newPage({ baseURL, viewport: { width: 500, height: 400 } })
  let before: Page

  it('follows one that leaves something of each kind', async () => {
    before = await openNext()
    await before.setViewportSize({ width: 900, height: 600 })
    await before.goto('/text')
    await before.addInitScript(() => Object.assign(globalThis, { left: true }))
    await before.route('**/text', (route) => route.abort())
    await before
      .context()
      .addCookies([baseURL, 'http://localhost'].map((url) => ({ name: 'left', value: '1', url })))
    await before.context().grantPermissions(['clipboard-read'])
    await before.emulateMedia({ media: 'print', colorScheme: 'dark', forcedColors: 'active' })
    await before.evaluate(async () => {
      for (const storage of [localStorage, sessionStorage]) storage.setItem('left', '1')
      window.name = 'left'
      await new Promise((resolve) => {
        indexedDB.open('left').addEventListener('success', resolve)
      })
    })
    await Promise.all([before.waitForEvent('popup'), before.evaluate(() => void open('/text'))])
    await before.context().setOffline(true)
    takeProblems(before)
    expect(await before.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([1, 1])
  })

  it('gets the same page, and finds nothing that the one before has left', async () => {
    const tab = await openNext()
    expect(tab).toBe(before)
    await tab.goto('/text')
    expect(
      await tab.evaluate(async () => ({
        stored: [localStorage.length, sessionStorage.length, document.cookie, window.name],
        databases: await indexedDB.databases(),
        isLeft: 'left' in globalThis,
        media: ['(prefers-color-scheme: light)', 'screen', '(forced-colors: none)'].map(
          (query) => matchMedia(query).matches,
        ),
        width: innerWidth,
        permission: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
        pages: history.length,
      })),
    ).toEqual({
      stored: [0, 0, '', ''],
      databases: [],
      isLeft: false,
      media: [true, true, true],
      width: 500,
      permission: 'prompt',
      pages: 2,
    })
    expect(tab.context().pages()).toEqual([tab])
    expect(await tab.context().cookies()).toEqual([])
  })

  it('gets another page after what cannot be taken back', async () => {
    const tab = await openNext()
    expect(tab).toBe(before)
    await tab.clock.install()
  })

  it('… and is told apart by it', async () => {
    expect(await openNext()).not.toBe(before)
  })
})

it.each([
  ['/logs', /^console: broken/],
  ['/throws', /^uncaught: Error: late/],
  ['/asks', /^console: Failed to load resource: .* 400 .*\/refused\)$/],
  ['/outside', /^console: Failed to load resource: net::ERR_NAME_NOT_RESOLVED/],
])('reports faults: %s', async (path, problem) => {
  const tab = await newPage({ baseURL })
  await tab.goto(path)
  const problems: string[] = []
  await expect.poll(() => problems.push(...takeProblems(tab))).toBe(1)
  expect(problems[0]).toMatch(problem)
})

it('reports a violation of the content security policy', async () => {
  const tab = await newPage({ baseURL })
  await tab.goto('/')
  await tab.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "ran"'
    document.head.append(script)
  })
  expect(await tab.title()).toBe('t')
  const problems: string[] = []
  // the browser’s own words, and the event’s
  await expect.poll(() => problems.push(...takeProblems(tab))).toBe(2)
  expect(problems.join()).toMatch(/Content Security Policy/)
  expect(problems.join()).toMatch(/The content security policy refused inline \(script-src-elem/)
})

it('allows an expected failure with its URL and status', async () => {
  const tab = await newPage({ baseURL, expected: [{ url: /\/refused$/, status: 401 }] })
  expectFailures(tab, { url: /\/refused$/, status: 400 })
  const message = tab.waitForEvent('console')
  await tab.goto('/asks')
  expect((await message).text()).toMatch(/ 400 /)
  expect(takeProblems(tab)).toEqual([])
})

it.each<[string, ExpectedFailure]>([
  ['another status', { url: /\/refused$/, status: 401 }],
  ['another URL', { url: /\/other$/, status: 400 }],
  ['no response', { url: /\/refused$/, status: 'network' }],
])('reports a failure where %s is expected', async (_, expected) => {
  const tab = await newPage({ baseURL, expected: [expected] })
  await tab.goto('/asks')
  const problems: string[] = []
  await expect.poll(() => problems.push(...takeProblems(tab))).toBe(1)
  expect(problems[0]).toMatch(/ 400 .*\/refused\)$/)
})

// a browser of one's own is used as it is
it.skipIf(process.env['BROWSER_PATH'])('starts on a machine without the shared libraries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'juno-libraries-'))
  try {
    // an unreadable library in front of the machine's own is what a missing one is to the browser
    await writeFile(join(folder, 'libnss3.so'), '')
    vi.stubEnv('LD_LIBRARY_PATH', folder)
    const { env } = await prepareChromium()
    expect(env['LD_LIBRARY_PATH']).toMatch(/al2023\/lib:/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
