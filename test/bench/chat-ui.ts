import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { findFreePort } from '../support/free-port.ts'
import { composer, launch } from './browser.ts'
import {
  folder,
  runChatUi,
  runOurs,
  type Side,
  type Sides,
  startChatUi,
  startOurs,
  waitForAnswer,
} from './chat-ui-sides.ts'
import { startChild } from './child.ts'
import { askModel } from './client.ts'
import { kb, median, ms, p95, type Bench, type Figure } from './figures.ts'
import { measureMainThread } from './main-thread.ts'
import { scriptsByTime } from './page.ts'
import { question, type Pace } from './pace.ts'

const repetitions = Number(process.env['REPETITIONS'] ?? 30)
const warmUps = 3
/** user messages and replies of the long conversation */
const longMessages = 20
const turnPace: Pace = { firstTokenMs: 50, tokens: 25, everyMs: 0 }
/** 10 KB in five seconds */
const replyPace: Pace = { firstTokenMs: 0, tokens: 2_560, everyMs: 2, text: 'markdown' }
const limitMs = 60_000
const seconds = (value: number) => `${value.toFixed(2)} s`

/** Both products' times, one after the other in turns, without the first ones. @returns a figure for each product, and their ratio */
async function compare(
  what: string,
  format: (value: number) => string,
  measure: (side: 0 | 1) => Promise<number>,
): Promise<Figure> {
  const values: [number[], number[]] = [[], []]
  for (let turn = -warmUps; turn < repetitions; turn += 1) {
    // each product is the first in every second turn
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const value = await measure(side)
      if (turn >= 0) values[side].push(value)
    }
  }
  return summarize(what, format, values)
}

function summarize(what: string, format: (value: number) => string, values: [number[], number[]]): Figure {
  const [ours, theirs] = values
  const spread = (side: number[]) => `${format(median(side))} / ${format(p95(side))}`
  return {
    what: `${what}: ours, chat-ui, p50 / p95 of ${ours.length}, ratio of medians`,
    measured: `${spread(ours)}, ${spread(theirs)}, ${(median(ours) / median(theirs)).toFixed(2)}`,
  }
}

/** The time that is added to the model's, in a new conversation and in a long one, which the turns between lead to. */
async function compareFirstTokens(sides: Sides, modelUrl: string): Promise<Figure[]> {
  const direct: number[] = []
  const first: [number[], number[]] = [[], []]
  const late: [number[], number[]] = [[], []]
  const before = longMessages / 2
  for (let round = -warmUps; round < repetitions; round += 1) {
    const conversations: (string | undefined)[] = []
    for (let turn = 0; turn <= before; turn += 1) {
      const { firstTokenMs: modelMs } = await askModel({ modelUrl }, { pace: turnPace })
      if (round >= 0) direct.push(modelMs)
      for (const side of (round + turn) % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { firstTokenMs, conversation } = await sides[side].send(conversations[side], turnPace)
        conversations[side] = conversation
        if (round < 0) continue
        if (turn === 0) first[side].push(firstTokenMs)
        if (turn === before) late[side].push(firstTokenMs)
      }
    }
    for (const side of [0, 1] as const) await sides[side].remove?.(conversations[side] ?? '')
  }
  const base = median(direct)
  const added = (times: [number[], number[]]) =>
    times.map((side) => side.map((time) => time - base)) as [number[], number[]]
  return [
    summarize(`Added to the first token (the model alone: ${ms(base)}), new conversation`, ms, added(first)),
    summarize(`The same, after ${longMessages} messages`, ms, added(late)),
  ]
}

/** Runs in the page: records when typed text reaches the application, which then lets it be sent. */
function recordUsable(): void {
  const timer = setInterval(() => {
    const field = document.querySelector('textarea:enabled')
    if (!field || field.closest('[inert]')) return
    // past the field's own property, by which React knows what it has seen
    Reflect.set(HTMLTextAreaElement.prototype, 'value', `Hello ${performance.now()}`, field)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (!document.querySelector('button[aria-label^="Send"]:enabled')) return
    clearInterval(timer)
    document.documentElement.dataset['matchedAt'] = String(performance.now())
  }, 4)
}

/** @returns the time until the page can be used, with an empty cache, and the scripts that it has asked for by then */
async function visit(page: Page) {
  await page.addInitScript(recordUsable)
  await page.goto('/')
  await page.waitForFunction(() => document.documentElement.dataset['matchedAt'], undefined, { polling: 50 })
  const { before } = await page.evaluate(scriptsByTime)
  const usableMs = await page.evaluate(() => Number(document.documentElement.dataset['matchedAt']))
  return { usableMs, before }
}

async function gzipSize(origin: string, paths: readonly string[]): Promise<number> {
  const sizes = paths.map(async (path) => {
    const content = await (await fetch(new URL(path, origin))).arrayBuffer()
    return gzipSync(Buffer.from(content), { level: 9 }).length
  })
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

/** Runs in the page: whether Stop was there and is gone for a second; chat-ui replaces it when the conversation gets its address. */
function hasEnded(): boolean {
  const { dataset } = document.documentElement
  if (document.querySelector('button[aria-label^="Stop"]')) dataset['stopAt'] = String(performance.now())
  return performance.now() - Number(dataset['stopAt']) > 1_000
}

/** Has a reply streamed into a page that has loaded everything it loads when idle. */
async function measureReply(browser: Browser, page: Page) {
  await visit(page)
  await page.waitForTimeout(2_000)
  return measureMainThread(browser, page, async () => {
    await page.locator(composer).fill(question(replyPace))
    await page.keyboard.press('Enter')
    await page.waitForFunction(hasEnded, undefined, { polling: 100, timeout: limitMs })
  })
}

async function comparePages(sides: Sides): Promise<Figure[]> {
  const browser = await launch()
  const viewport = { width: 1280, height: 800 }
  const prepare = async (side: Side) => {
    const context = await browser.newContext({ baseURL: side.origin, viewport })
    await side.enter(await context.newPage())
    return context.storageState()
  }
  try {
    const signInToBoth = async () => [await prepare(sides[0]), await prepare(sides[1])] as const
    let states = await signInToBoth()
    const bytes: [number, number] = [0, 0]
    const inPage = async <Value>(side: 0 | 1, measure: (page: Page) => Promise<Value>) => {
      const context = await browser.newContext({
        baseURL: sides[side].origin,
        viewport,
        storageState: states[side],
      })
      try {
        return await measure(await context.newPage())
      } finally {
        await context.close()
      }
    }
    const usable = await compare('Composer takes input, empty cache', ms, (side) =>
      inPage(side, async (page) => {
        const { usableMs, before } = await visit(page)
        bytes[side] ||= await gzipSize(sides[side].origin, before)
        return usableMs
      }),
    )
    const figures = [
      {
        what: 'Scripts until then, gzip: ours, chat-ui, ratio',
        measured: `${kb(bytes[0])}, ${kb(bytes[1])}, ${(bytes[0] / bytes[1]).toFixed(2)}`,
      },
      usable,
    ]
    // tokens are valid for 15 minutes
    states = await signInToBoth()
    const all: [number[], number[]] = [[], []]
    const ofMain = await compare('Script of the main thread for a reply of 10 KB in 5 s', seconds, (side) =>
      inPage(side, async (page) => {
        const { scriptSeconds, allScriptSeconds } = await measureReply(browser, page)
        all[side].push(allScriptSeconds)
        return scriptSeconds
      }),
    )
    const [ours, theirs] = all.map((values) => values.slice(warmUps)) as [number[], number[]]
    figures.push(ofMain, summarize('The same with workers and microtasks', seconds, [ours, theirs]))
    return figures
  } finally {
    await browser.close()
  }
}

async function startOnce(side: 0 | 1, modelUrl: string, dataDir: string): Promise<number> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = side === 0 ? runOurs(modelUrl, port, dataDir) : runChatUi(modelUrl, port)
  const exit = once(child, 'exit')
  try {
    await waitForAnswer(`http://127.0.0.1:${port}`)
    return (performance.now() - startedAt) / 1_000
  } finally {
    if (child.pid !== undefined) process.kill(side === 0 ? -child.pid : child.pid, 'SIGKILL')
    await exit
  }
}

export const chatUiBench: Bench = {
  name: 'chat-ui',
  title: 'Beside chat-ui of Hugging Face',
  async run() {
    if (!folder) return [{ what: 'Skipped: CHAT_UI names no folder of a built chat-ui', measured: '' }]
    await ensureWebBuild()
    const dataDir = await mkdtemp(join(tmpdir(), 'juno-beside-'))
    const model = await startChild<string>('model-process.ts')
    const ending: (() => Promise<unknown>)[] = [
      () => model.end(),
      () => rm(dataDir, { recursive: true, force: true }),
    ]
    try {
      const ours = await startOurs(model.ready)
      ending.unshift(() => ours.end())
      const theirs = await startChatUi(model.ready)
      ending.unshift(() => theirs.end())
      const sides: Sides = [ours, theirs]
      const figures = [...(await compareFirstTokens(sides, model.ready)), ...(await comparePages(sides))]
      await ending.shift()?.()
      await ending.shift()?.()
      const start = (side: 0 | 1) => startOnce(side, model.ready, dataDir)
      return [...figures, await compare('Start to the first answer', seconds, start)]
    } finally {
      for (const end of ending) await end()
    }
  },
}
