import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { startAppSandbox } from '../../infra/local/app-sandbox.ts'
import { createFrameDocument } from '../../web/src/features/chat/apps/frame-document.ts'
import { frameWays, nothingOpened, openSink } from '../support/frame-ways.ts'
import {
  click,
  composer,
  describe,
  isAnswering,
  keys,
  locating,
  pollMs,
  readPage,
  sees,
  send,
  startChat,
  stepMs,
  text,
  until,
  waitForReply,
} from './browser-steps.ts'
import type { Report } from './report.ts'
import { judgeTeam } from './team-story.ts'
import { startChromium, startFirefox, startWebKit, type DrivenBrowser, type Started } from './web-drivers.ts'

/** A word that only the conversation of this judge has. */
const rareWord = 'zanzibar'

const browsers: Readonly<Record<string, () => Promise<Started>>> = {
  firefox: startFirefox,
  webkit: startWebKit,
}

/**
 * Does the main job of the product in browsers of other engines than the tests' Chromium.
 * @param wanted names of browsers, or `team` for three people in three browsers; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  await ensureWebBuild()
  for (const [name, start] of Object.entries(browsers)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const browser = await start()
    if ('missing' in browser) {
      report.skip(name, browser.missing)
      continue
    }
    const stack = await startStack({ env: { RATE_LIMIT_FACTOR: '100', DEMO_TOKENS_PER_SECOND: '40' } })
    try {
      for (const [what, run] of Object.entries(steps)) {
        const problem = await Promise.race([
          run(browser, stack).then(() => undefined, describe),
          wait(stepMs, `no end after ${stepMs / 1_000} s`, { ref: false }),
        ])
        if (problem === undefined) report.pass(`${browser.version}: ${what}`)
        else {
          report.fail(`${browser.version}: ${what}`, `${problem}; the page says: ${await readPage(browser)}`)
          // the next steps need this one
          if (what === 'signs up with the mailed code') break
        }
      }
    } finally {
      await browser.close()
      await stack.stop()
    }
  }
  if (wanted.length === 0 || wanted.includes('team'))
    await judgeTeam(report, { admin: startChromium, publisher: startFirefox, member: startWebKit })
}

/** Runs in the page: attaches a picture that is drawn here. */
function attachPicture(): void {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const [, data = ''] = canvas.toDataURL('image/png').split(',')
  const bytes = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0) ?? 0)
  const files = new DataTransfer()
  files.items.add(new File([bytes], 'judge.png', { type: 'image/png' }))
  const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]')
  if (!input) throw new Error('no field for files')
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Runs in a page: shows a document in the sandbox, and keeps the text of its output. */
function showInSandbox(origin: string, params: object): void {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-forms')
  frame.src = `${origin}/`
  addEventListener('message', ({ data }: MessageEvent<{ method?: string; params?: { report?: string } }>) => {
    if (data.method === 'ui/notifications/sandbox-proxy-ready')
      frame.contentWindow?.postMessage({ method: 'ui/notifications/sandbox-resource-ready', params }, '*')
    else if (data.params?.report !== undefined) document.title = data.params.report
  })
  document.body.replaceChildren(frame)
}

/** Tries from inside the sandbox to open frames and connections. @param resource the hosts that an app has declared */
async function tryFrames(browser: DrivenBrowser, resource: readonly string[]): Promise<void> {
  const sink = await openSink()
  const page = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title><body>')
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const sandbox = await startAppSandbox(address)
  try {
    const { html, policy } = await createFrameDocument({
      html: frameWays(sink.host).replace(
        'output.textContent =',
        'parent.postMessage({ method: "report", params: { report: JSON.stringify({ ran, made, rtc, tried: Object.keys(ways).length }) } }, "*"); output.textContent =',
      ),
      domains: { connect: [], resource },
      labels: { ok: 'OK', cancel: 'Cancel' },
    })
    await browser.open(address)
    await browser.evaluate(
      `void (${showInSandbox.toString()})(${JSON.stringify(sandbox.url)}, ${JSON.stringify({ html, policy })}) ?? true`,
    )
    await until(browser, 'the report', `document.title.startsWith('{')`)
    const report = String(await browser.evaluate('document.title'))
    if (report !== JSON.stringify(nothingOpened)) throw new Error(`it got ${report}`)
    // what a browser does in processes of its own may come later
    await wait(1_000)
    if (sink.connections.length > 0) throw new Error(`it connected: ${sink.connections.join(', ')}`)
  } finally {
    await sandbox.close()
    page.close()
    sink.close()
  }
}

/** Runs a document that names a module of its host by an import map, without the sandbox, which lets only https through. */
async function tryImportMap(browser: DrivenBrowser): Promise<void> {
  let origin = ''
  const host = createServer((request, response) => {
    const isModule = request.url === '/module.js'
    response.setHeader('access-control-allow-origin', '*')
    if (isModule)
      return void response
        .setHeader('content-type', 'text/javascript')
        .end('parent.postMessage("mapped", "*")')
    const map = JSON.stringify({ imports: { mapped: `${origin}/module.js` } })
    void createFrameDocument({
      html: `<script type="importmap">${map}</script><script type="module">import 'mapped'</script>`,
      domains: { connect: [], resource: [origin] },
      labels: { ok: 'OK', cancel: 'Cancel' },
    }).then(({ html, policy }) => {
      const source = `<meta http-equiv="Content-Security-Policy" content="${policy}">${html}`
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><title>page</title><script>onmessage = function (event) { document.title = JSON.stringify(event.data) }</script><iframe sandbox="allow-scripts" srcdoc="${source.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
        )
    })
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  try {
    await browser.open(origin)
    await until(browser, 'the module', `document.title === '"mapped"'`)
  } finally {
    host.close()
  }
}

/** Tries from inside the frame of charts, where no code of a model runs, to connect. */
async function tryChartFrame(browser: DrivenBrowser, { origin }: LocalStack): Promise<void> {
  const sink = await openSink()
  try {
    await browser.open(`${origin}/diagram/chart.html`)
    const address = `http://${sink.host}/`
    await browser.evaluate(
      `[import('${address}import'), fetch('${address}fetch')].map((one) => one.catch(() => undefined)).length, new Image().src = '${address}image', 1`,
    )
    await wait(1_000)
    if (sink.connections.length > 0) throw new Error(`it connected: ${sink.connections.join(', ')}`)
  } finally {
    sink.close()
  }
}

const steps: Readonly<Record<string, (browser: DrivenBrowser, stack: LocalStack) => Promise<void>>> = {
  async 'signs up with the mailed code'(browser, stack) {
    const email = `${crypto.randomUUID()}@example.com`
    await browser.open(`${stack.origin}/`)
    await click(browser, 'Create account')
    await click(browser, 'Full name', 'input')
    await browser.press(`Mika Kaas${keys.tab}${email}${keys.tab}a long enough secret${keys.enter}`)
    await sees(browser, 'Code from the e-mail')
    const [mail] = await stack.mail(email)
    await click(browser, 'Code from the e-mail', 'input')
    await browser.press(`${/code=(\d{6})/.exec(mail?.text ?? '')?.[1]}${keys.enter}`)
    await sees(browser, "Hi, I'm Juno")
  },

  async 'a reply grows, and Stop ends it'(browser) {
    await send(browser, `Tell me a long story about ${rareWord}`)
    const length = `document.querySelector('main').innerText.length`
    await until(browser, 'the reply', isAnswering)
    const before = Number(await browser.evaluate(length))
    await until(browser, 'growth', `${length} > ${before + 20}`)
    await click(browser, 'Stop')
    await waitForReply(browser)
    await sees(browser, 'stopped')
  },

  async 'a reload while a reply streams continues it'(browser, stack) {
    await startChat(browser, stack)
    await send(browser, 'What can you help me with?')
    await until(browser, 'the reply', `${isAnswering} && ${text('Here is')}`)
    await browser.open(String(await browser.evaluate('location.href')))
    await sees(browser, 'demo model')
    await waitForReply(browser)
  },

  async 'attaches a picture, and shows it in the viewer'(browser, stack) {
    await startChat(browser, stack)
    await browser.evaluate(`(${attachPicture.toString()})()`)
    await sees(browser, 'judge.png')
    await send(browser, 'What is in this picture?')
    await until(browser, 'the reply', isAnswering)
    await waitForReply(browser)
    await until(
      browser,
      'the picture',
      `[...document.querySelectorAll('main img')].some((one) => one.complete && one.naturalWidth > 0)`,
    )
    await click(browser, '', 'main button:has(img)')
    await until(
      browser,
      'the viewer',
      `[...document.querySelectorAll('[role=dialog] img')].some((one) => one.naturalWidth > 0)`,
    )
    await browser.press(keys.escape)
    await until(browser, 'the end of the viewer', `!document.querySelector('[role=dialog]')`)
  },

  async 'connects a tool in a window, and the card waits meanwhile'(browser, stack) {
    await browser.open(`${stack.origin}/integrations`)
    await until(browser, 'Gmail', `document.querySelector('article') !== null && ${text('Gmail')}`)
    await click(browser, 'Setup', 'article:has([alt="Gmail"], h2, h3) button')
    await click(browser, 'Paste your', 'input')
    await browser.press('demo')
    const [page = ''] = await browser.listWindows()
    await click(browser, 'Connect to Gmail')
    let popup: string | undefined
    for (const endAt = Date.now() + stepMs / 2; popup === undefined && Date.now() < endAt; await wait(pollMs))
      popup = (await browser.listWindows()).find((one) => one !== page)
    if (popup === undefined) throw new Error('no window opened')
    await browser.use(popup)
    await sees(browser, 'Allow')
    // longer than the page takes to notice that a window is closed
    await wait(1_500)
    await browser.use(page)
    if ((await browser.evaluate(text('Connecting'))) !== true)
      throw new Error('the card does not wait while the window is open')
    await browser.use(popup)
    await click(browser, 'Allow')
    await browser.use(page)
    await sees(browser, 'Integration Connected')
  },

  async 'sends an e-mail after its approval'(browser, stack) {
    await startChat(browser, stack)
    await send(
      browser,
      'Send an email to cleo@example.org with the subject "Lunch" saying Shall we meet at noon?',
    )
    // a card takes no press before people could read it
    await until(browser, 'the card', locating('button', 'Approve') + ' !== null')
    await wait(1_000)
    await click(browser, 'Approve', 'button')
    await until(
      browser,
      'the call',
      `document.querySelector('[data-success=true]') !== null && !document.querySelector('[role=group] textarea')`,
    )
    await waitForReply(browser)
  },

  async 'finds a conversation by a word'(browser) {
    await browser.chord(keys.control, 'k')
    await until(browser, 'the search', `document.querySelector('[role=dialog] input') !== null`)
    await browser.press(rareWord)
    await until(
      browser,
      'a result',
      `[...document.querySelectorAll('[role=dialog] [role=option], [role=dialog] li')].some((one) => one.textContent.toLowerCase().includes('${rareWord}'))`,
    )
    await browser.press(keys.escape)
  },

  async 'a navigation while the page still loads is not cancelled'(browser, stack) {
    for (let round = 0; round < 3; round += 1) {
      await browser.open(`${stack.origin}/`)
      await browser.evaluate(`location.assign('/local/mail')`)
      await until(browser, 'the other page', `location.pathname === '/local/mail'`)
    }
  },

  async 'shows the offline page without a server, and loads again with it'(browser, stack) {
    await startChat(browser, stack)
    await until(browser, 'the service worker', 'navigator.serviceWorker.controller !== null')
    await stack.kill('SIGTERM')
    await browser.open(`${stack.origin}/`).catch(() => undefined)
    await sees(browser, 'No connection')
    await stack.restart()
    await browser.open(`${stack.origin}/`)
    await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
  },

  // last, as they leave the page
  'an app names its modules by an import map': tryImportMap,
  'the frame of charts makes no connection': tryChartFrame,
  'a preview opens no frame and no connection': (browser) => tryFrames(browser, []),
  'an app opens no frame, and no connection but to its host': (browser) =>
    tryFrames(browser, ['https://declared.invalid']),
}
