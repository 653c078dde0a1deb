import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { launchChromium } from '../support/chromium.ts'
import { findFreePort } from '../support/free-port.ts'

/**
 * Browsers of the system's package manager, driven by the protocols of the W3C: Firefox by WebDriver BiDi
 * (https://w3c.github.io/webdriver-bidi/), WebKitGTK by WebDriver (https://w3c.github.io/webdriver/).
 */
export interface DrivenBrowser {
  readonly version: string
  /** Loads an address, and waits for its load event. */
  open(url: string): Promise<void>
  /** @param expression JavaScript, without await @returns its value as JSON */
  evaluate(expression: string): Promise<unknown>
  /** Clicks at a point of the view, in CSS pixels. */
  click(point: { x: number; y: number }): Promise<void>
  /** Presses keys one after another. @param keys text, with WebDriver's code points for keys, such as \uE004 for Tab */
  press(keys: string): Promise<void>
  /** Holds the first key while the second is pressed. */
  chord(held: string, key: string): Promise<void>
  listWindows(): Promise<readonly string[]>
  /** Further commands are for this window. */
  use(window: string): Promise<void>
  close(): Promise<void>
}

export type Started = DrivenBrowser | { readonly missing: string }

const startMs = 30_000
const commandMs = 30_000

const findCommand = (...names: readonly string[]) =>
  names.find((name) => spawnSync('which', [name], { stdio: 'ignore' }).status === 0)

const keyActions = (keys: string) => [
  {
    type: 'key',
    id: 'keyboard',
    actions: Array.from(keys).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
]
const chordActions = (held: string, key: string) => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [
      { type: 'keyDown', value: held },
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
      { type: 'keyUp', value: held },
    ],
  },
]
const clickActions = ({ x, y }: { x: number; y: number }) => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]

/** The part of a program's output that matches, within the time of a start. */
async function readOutput(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface(stream).on('line', (line) => {
        const found = pattern.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
  child.once('exit', (code) => reject(new Error(`ended with ${code} at its start`)))
  child.once('error', reject)
  const late = wait(startMs, undefined, { ref: false }).then(() => {
    throw new Error(`not ready after ${startMs / 1_000} s`)
  })
  return Promise.race([promise, late])
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill()
  await Promise.race([promise, wait(5_000, undefined, { ref: false })])
  child.kill('SIGKILL')
}

interface BidiAnswer {
  id?: number
  type: string
  result?: Record<string, unknown>
  message?: string
}

export async function startFirefox(): Promise<Started> {
  const command = findCommand('firefox-esr', 'firefox')
  if (command === undefined) return { missing: 'no Firefox (Debian: apt-get install firefox-esr)' }
  const profile = await mkdtemp(join(tmpdir(), 'judge-firefox-'))
  const child = spawn(
    command,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' } },
  )
  const close = async () => {
    await end(child)
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const address = await readOutput(child, /WebDriver BiDi listening on (\S+)/)
    const socket = new WebSocket(`${address}/session`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('no connection to Firefox')))
    })
    const waiting = new Map<number, (answer: BidiAnswer) => void>()
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as BidiAnswer
      if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
    })
    let lastId = 0
    const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
      const id = (lastId += 1)
      const { promise, resolve } = Promise.withResolvers<BidiAnswer>()
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
      const answer = await Promise.race([promise, wait(commandMs, undefined, { ref: false })])
      waiting.delete(id)
      if (!answer) throw new Error(`${method} had no answer`)
      if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
      return answer.result ?? {}
    }
    const { capabilities } = await send('session.new', { capabilities: {} })
    const listWindows = async () => {
      const { contexts } = await send('browsingContext.getTree', { maxDepth: 0 })
      return (contexts as { context: string }[]).map(({ context }) => context)
    }
    let [context] = await listWindows()
    const act = (actions: readonly object[]) => send('input.performActions', { context, actions })
    return {
      version: `Firefox ${(capabilities as { browserVersion: string }).browserVersion}`,
      async open(url) {
        await send('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      async evaluate(expression) {
        const { result, exceptionDetails } = await send('script.evaluate', {
          expression: `JSON.stringify(${expression})`,
          target: { context },
          awaitPromise: false,
          userActivation: false,
        })
        if (exceptionDetails) throw new Error((exceptionDetails as { text: string }).text)
        const { value } = result as { value?: string }
        return value === undefined ? undefined : (JSON.parse(value) as unknown)
      },
      async click(point) {
        await act(clickActions(point))
      },
      async press(keys) {
        await act(keyActions(keys))
      },
      async chord(held, key) {
        await act(chordActions(held, key))
      },
      listWindows,
      async use(window) {
        context = window
        await send('browsingContext.activate', { context })
      },
      async close() {
        socket.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** WebDriver's code points of keys, by the names that Playwright has for them. */
const playwrightKeys: Readonly<Record<string, string>> = {
  '\uE004': 'Tab',
  '\uE007': 'Enter',
  '\uE00C': 'Escape',
  '\uE009': 'Control',
}
const nameKey = (key: string) => playwrightKeys[key] ?? key

/** The Chromium of the browser tests. */
export async function startChromium(): Promise<Started> {
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  let page = await context.newPage()
  return {
    version: `Chromium ${browser.version()}`,
    async open(url) {
      await page.goto(url)
    },
    evaluate: async (expression) => {
      const value = await page.evaluate<string | undefined>(`JSON.stringify(${expression})`)
      return value === undefined ? undefined : (JSON.parse(value) as unknown)
    },
    click: ({ x, y }) => page.mouse.click(x, y),
    async press(keys) {
      for (const key of keys) {
        const name = playwrightKeys[key]
        if (name === undefined) await page.keyboard.type(key)
        else await page.keyboard.press(name)
      }
    },
    chord: (held, key) => page.keyboard.press(`${nameKey(held)}+${nameKey(key)}`),
    listWindows: async () => context.pages().map((_, index) => String(index)),
    async use(window) {
      page = context.pages()[Number(window)] ?? page
    },
    close: () => browser.close(),
  }
}

/** The browser of a WebKitGTK package, in the folder of its newest interface. */
function findMiniBrowser(): string | undefined {
  const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  const folders = existsSync(libraries) ? readdirSync(libraries) : []
  return folders
    .filter((folder) => /^webkit(?:2gtk|gtk)-/.test(folder))
    .toSorted()
    .map((folder) => join(libraries, folder, 'MiniBrowser'))
    .findLast((path) => existsSync(path))
}

export async function startWebKit(): Promise<Started> {
  const driver = findCommand('WebKitWebDriver')
  const browser = findMiniBrowser()
  if (driver === undefined || browser === undefined || findCommand('Xvfb') === undefined)
    return { missing: 'no WebKitGTK (Debian: apt-get install webkit2gtk-driver xvfb)' }
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'])
  let child: ChildProcess | undefined
  const home = await mkdtemp(join(tmpdir(), 'judge-webkit-'))
  const close = async () => {
    await end(child)
    await end(screen)
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const display = await readOutput(screen, /^(\d+)$/)
    const port = await findFreePort()
    child = spawn(driver, [`--port=${port}`], {
      env: {
        ...process.env,
        DISPLAY: `:${display}`,
        HOME: home,
        XDG_DATA_HOME: home,
        XDG_CACHE_HOME: home,
        // the sandbox needs rights that containers lack
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      },
      stdio: 'ignore',
    })
    const send = async (method: string, path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        signal: AbortSignal.timeout(commandMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      const { value } = (await response.json()) as { value: { message?: string } | null }
      if (!response.ok) throw new Error(`${method} ${path}: ${value?.message ?? response.status}`)
      return value
    }
    const startedAt = Date.now()
    while (
      !(await send('GET', '/status').then(
        () => true,
        () => false,
      ))
    ) {
      if (Date.now() - startedAt > startMs) throw new Error('WebKitWebDriver did not start')
      await wait(100)
    }
    const { sessionId, capabilities } = (await send('POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } },
      },
    })) as { sessionId: string; capabilities: { browserVersion: string } }
    const session = `/session/${sessionId}`
    const act = async (actions: readonly object[]) => {
      await send('POST', `${session}/actions`, { actions })
    }
    await send('POST', `${session}/window/rect`, { width: 1280, height: 900 })
    return {
      version: `WebKitGTK ${capabilities.browserVersion}`,
      async open(url) {
        await send('POST', `${session}/url`, { url })
      },
      async evaluate(expression) {
        const value = await send('POST', `${session}/execute/sync`, {
          script: `return JSON.stringify(${expression})`,
          args: [],
        })
        return typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined
      },
      click: (point) => act(clickActions(point)),
      press: (keys) => act(keyActions(keys)),
      chord: (held, key) => act(chordActions(held, key)),
      listWindows: async () => (await send('GET', `${session}/window/handles`)) as string[],
      async use(handle) {
        await send('POST', `${session}/window`, { handle })
      },
      async close() {
        await send('DELETE', session).catch(() => undefined)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
