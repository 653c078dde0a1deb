import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { createFrameDocument } from '../../web/src/features/chat/apps/frame-document.ts'
import { forEachSizeAndTheme, newPage, screenshot, takeProblems } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { frameWays, nothingOpened, openSink } from '../support/frame-ways.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { livelyPage, useLivelyPage } from '../support/lively-page.ts'
import { composer, sendMessage, sharePage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('')
const sharedPage = sharePage(() => signedInPage(stack))

const region = (page: Page) => page.getByRole('region', { name: 'Preview' })
const previewButton = (page: Page) => page.getByRole('button', { name: 'Preview', exact: true })
const running = (page: Page) => region(page).frameLocator('iframe[title^="Preview"]').frameLocator('iframe')

/** Waits for a heading of what runs. The frame of an earlier version may go while it is searched, which Playwright reports as an error. */
const waitForTitle = (page: Page, name: string) =>
  expect
    .poll(() =>
      running(page)
        .getByRole('heading', { name })
        .isVisible()
        .catch(() => false),
    )
    .toBe(true)
const block = (language: string, code: string) => `Here it is:\n\n\`\`\`${language}\n${code}\n\`\`\`\n\nDone.`

async function ask(page: Page, reply: string, message = 'Make it') {
  model.behave(says(reply))
  await sendMessage(page, message)
  await waitForReplyEnd(page)
}
async function openPreview(page: Page) {
  await previewButton(page).last().click()
  await region(page).waitFor()
}
const close = (page: Page) => page.getByRole('button', { name: 'Close preview' }).click()

const counter = (title: string) =>
  `<!doctype html><html><head><style>body{font-family:sans-serif}</style></head><body><h1>${title}</h1><button onclick="this.textContent=Number(this.textContent)+1">0</button></body></html>`

it('a page runs beside the chat, in both themes, and as a sheet on a phone', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, block('html', counter('Counter')))
  await openPreview(page)
  await waitForTitle(page, 'Counter')
  await running(page).getByRole('button').click()
  await running(page).getByRole('button', { name: '1' }).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    await waitForTitle(page, 'Counter')
    await screenshot(page, `preview-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
  })
  await close(page)
  await expect.poll(() => region(page).count()).toBe(0)
})

it('a link within the page leads to its part each time', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  const code = `<h1>Top</h1><a href="#end">Go</a><p style="height:3000px"></p><h2 id="end">End</h2>`
  await ask(page, block('html', code))
  await openPreview(page)
  await waitForTitle(page, 'Top')
  const body = running(page).locator('body')
  for (const _ of ['first', 'again']) {
    await body.evaluate(() => scrollTo(0, 0))
    await running(page).getByText('Go').click()
    await expect.poll(() => body.evaluate(() => scrollY)).toBeGreaterThan(1_000)
  }
  await close(page)
})

it('the keyboard opens, leaves and closes it, and the focus returns', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(
    page,
    block(
      'svg',
      '<svg viewBox="0 0 90 90"><circle cx="45" cy="45" r="40" fill="gold"/><text x="30" y="50">Sun</text></svg>',
    ),
  )
  // the tooltip of what is below the pointer would get the first Escape
  await page.mouse.move(0, 0)
  await previewButton(page).focus()
  await page.keyboard.press('Enter')
  await running(page).getByText('Sun').waitFor()
  await expect.poll(() => region(page).evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => region(page).count()).toBe(0)
  await expect.poll(() => previewButton(page).evaluate((node) => node === document.activeElement)).toBe(true)
})

it(
  'CSV is a table, Markdown is formatted, Mermaid is drawn, and other code has no preview',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await ask(page, block('csv', 'Town,People\n"Rome, Italy","2,8 million"\n<b>x</b>,=1+1'))
    await openPreview(page)
    const table = region(page).getByRole('table')
    await table.getByRole('columnheader', { name: 'People' }).waitFor()
    await table.getByRole('cell', { name: 'Rome, Italy' }).waitFor()
    await table.getByRole('cell', { name: '<b>x</b>' }).waitFor()
    const download = page.waitForEvent('download')
    await region(page).getByRole('button', { name: 'Download' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toBe(
      `\u{feff}Town,People\r\n"Rome, Italy","2,8 million"\r\n<b>x</b>,'=1+1\r\n`,
    )
    await forEachSizeAndTheme(page, async (look, rules) => {
      await table.waitFor()
      await screenshot(page, `preview-csv-${look}`)
      expect(await findViolations(page, ...rules)).toEqual([])
    })
    await ask(
      page,
      block('md', '---\ndate: 2026-01-01\n---\n\n# A plan\n\n- [x] **done**\n\n<script>alert(1)</script>'),
    )
    await openPreview(page)
    await region(page).getByRole('heading', { name: 'A plan' }).waitFor()
    await region(page).getByText('<script>alert(1)</script>').waitFor()
    await ask(page, block('mermaid', 'flowchart LR\n  ask[Ask] --> read[Read]'))
    await openPreview(page)
    await region(page).frameLocator('iframe[title="Diagram"]').getByText('Read').waitFor()
    await close(page)
    const count = await previewButton(page).count()
    await ask(page, block('jsx', 'export default () => <b>No</b>'))
    await expect.poll(() => previewButton(page).count()).toBe(count)
  },
)

it('follows new versions, and shows earlier ones', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, block('html', counter('First title')))
  await openPreview(page)
  await waitForTitle(page, 'First title')

  const second = counter('Second title')
  const paused = pausableReply(`Changed:\n\n\`\`\`html\n${second.slice(0, -20)}`)
  model.behave(paused.behaviour)
  await sendMessage(page, 'Change the title')
  await region(page).getByText('A version is being written…').waitFor()
  // what runs stays until the new version is complete
  await waitForTitle(page, 'First title')
  paused.say(`${second.slice(-20)}\n\`\`\`\n`)
  await region(page).getByText('Version 1 of 2').waitFor()
  paused.finish('Done.')
  await waitForReplyEnd(page)
  await waitForTitle(page, 'Second title')
  await region(page).getByText('Version 2 of 2').waitFor()
  await region(page).getByRole('button', { name: 'Earlier version' }).click()
  await waitForTitle(page, 'First title')
  await region(page).getByText('Version 1 of 2').waitFor()
  const download = page.waitForEvent('download')
  await region(page).getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('First title.html')
  expect(await readFile(await file.path(), 'utf8')).toBe(counter('First title'))
})

it(
  'HTML, CSS and JavaScript of a reply are one page, which says what it lacks; a change of one file is a version',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    const html =
      '<!DOCTYPE html><html><head><title>Sales: "2026"</title><link rel="stylesheet" href="style.css"></head><body><h1>Plain</h1><img src="logo.png"><script src="script.js"></script></body></html>'
    const style = (colour: string) => `\`\`\`css:style.css\nh1 { color: ${colour} }\n\`\`\`\n`
    const script = '```js\ndocument.querySelector("h1").textContent += " works"\n```'
    await ask(page, `${block('html', html)}\n\n${style('rgb(1, 2, 3)')}\n${script}`)
    await previewButton(page).last().click()
    await waitForTitle(page, 'Plain works')
    const colour = () =>
      running(page)
        .getByRole('heading')
        .evaluate((node) => getComputedStyle(node).color)
    expect(await colour()).toBe('rgb(1, 2, 3)')
    await region(page).getByText('This page wants files that the preview does not have: logo.png.').waitFor()
    await region(page).getByText('Sales: "2026"').waitFor()
    await screenshot(page, 'preview-joined')
    await ask(page, style('rgb(4, 5, 6)'), 'Another colour')
    await region(page).getByText('Version 2 of 2').waitFor()
    await expect.poll(() => colour().catch(() => '')).toBe('rgb(4, 5, 6)')
    const download = page.waitForEvent('download')
    await region(page).getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('Sales 2026.html')
    await close(page)
    takeProblems(page)
  },
)

it.each([
  ['its size', 'width="3000" height="5000"'],
  ['what is drawn', ''],
])('a picture without viewBox is shown whole, by %s', { tags: 'long' }, async (_, size) => {
  const { page } = await sharedPage()
  const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" ${size}><circle cx="2900" cy="900" r="50"/></svg>`
  await ask(page, block('xml', svg))
  await openPreview(page)
  const circle = running(page).locator('circle')
  const frame = region(page).locator('iframe')
  await expect
    .poll(async () => {
      const [inner, outer] = await Promise.all([circle.boundingBox(), frame.boundingBox()])
      if (!inner || !outer) return false
      return (
        inner.width > 5 &&
        inner.x + inner.width <= outer.x + outer.width &&
        inner.y + inner.height <= outer.y + outer.height
      )
    })
    .toBe(true)
  expect(await running(page).locator('body').innerText()).toBe('')
  await close(page)
})

it(
  'Back closes the sheet of a phone, and its own buttons leave no entry behind',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await ask(page, block('html', counter('On a phone')))
    const [address, count] = [page.url(), await page.evaluate(() => history.length)]
    await openPreview(page)
    await waitForTitle(page, 'On a phone')
    await page.goBack()
    await expect.poll(() => region(page).count()).toBe(0)
    await openPreview(page)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.poll(() => region(page).count()).toBe(0)
    await expect
      .poll(() => page.evaluate(() => (history.state as { sheet?: string } | null)?.sheet))
      .toBe(undefined)
    expect([page.url(), await page.evaluate(() => history.length)]).toEqual([address, count + 1])
    await previewButton(page).last().waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  },
)

it('a table grows while it is written', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  const paused = pausableReply('```csv\nTown,People\nRome,3\n')
  model.behave(paused.behaviour)
  await sendMessage(page, 'Make a table')
  await openPreview(page)
  await region(page).getByRole('cell', { name: 'Rome' }).waitFor()
  paused.say('Oslo,1\n')
  await region(page).getByRole('cell', { name: 'Oslo' }).waitFor()
  paused.finish('```\n')
  await waitForReplyEnd(page)
  await region(page).getByRole('cell', { name: 'Oslo' }).waitFor()
  expect(
    await region(page)
      .getByText(/^Version/)
      .count(),
  ).toBe(0)
})

it('an ordinary page lives: links to its parts, storage, dialogs', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, block('html', livelyPage))
  await openPreview(page)
  await waitForTitle(page, 'Best none no cookie 1')
  await useLivelyPage(running(page), () => screenshot(page, 'preview-dialog'))
  // a later version has what this one has stored
  await ask(page, block('html', livelyPage.replace('<h1>', '<h1 class="big">')), 'Make it big')
  await region(page).getByText('Version 2 of 2').waitFor()
  await waitForTitle(page, 'Best 7 seen=yes 1')
  await close(page)
  takeProblems(page)
})

it(
  'what a page asks while it loads is asked in its frame, and the page goes on with the answer',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await ask(
      page,
      block(
        'html',
        `<h1></h1><script>document.querySelector('h1').textContent = 'For ' + prompt('Who is it for?')</script>`,
      ),
    )
    await openPreview(page)
    await running(page).getByRole('textbox', { name: 'Who is it for?' }).fill('Ann')
    await running(page).getByRole('button', { name: 'OK' }).click()
    await waitForTitle(page, 'For Ann')
    await close(page)
  },
)

it(
  'a later version runs only when the user wants it, once its reply has read text of others',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await ask(page, block('html', counter('Before the file')))
    await openPreview(page)
    await waitForTitle(page, 'Before the file')
    await page.locator('input[type=file][multiple]').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Always add this frame'),
    })
    await page.getByText('notes.txt').first().waitFor()
    await ask(page, block('html', counter('After the file')), 'Use my notes')
    await region(page).getByText('This version does not run by itself').waitFor()
    expect(await region(page).locator('iframe').count()).toBe(0)
    await forEachSizeAndTheme(page, async (look) => screenshot(page, `preview-question-${look}`))
    await region(page).getByRole('button', { name: 'Run' }).click()
    await waitForTitle(page, 'After the file')
    await region(page).getByRole('button', { name: 'Earlier version' }).click()
    await waitForTitle(page, 'Before the file')
    await close(page)
  },
)

describe('a hostile preview', () => {
  let connectionCount = 0
  const collector = createServer((_, response) => response.end()).on('connection', () => {
    connectionCount += 1
  })
  let address = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  })
  afterAll(() => void collector.close())

  it('reaches neither the page nor the network', async () => {
    const { page } = await sharedPage()
    const script = `
      var report = { origin: self.origin }
      async function attempt(name, action) {
        try { await action(); report[name] = 'worked' } catch (error) { report[name] = error.name }
      }
      ;(async function () {
        await attempt('page', function () { return top.document.title })
        await attempt('sandbox', function () { return parent.document.title })
        await attempt('network', function () { return fetch('${address}/fetch', { mode: 'no-cors' }) })
        await attempt('popup', function () { if (!open('${address}/popup')) throw new DOMException('', 'Refused') })
        await attempt('top', function () { top.location.href = '${address}/top' })
        await attempt('webrtc', function () { return new RTCPeerConnection() })
        var image = new Image()
        image.src = '${address}/image'
        var form = document.createElement('form')
        form.action = '${address}/form'
        document.body.append(form)
        form.submit()
        document.querySelector('a').click()
        parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }, '*')
        parent.parent.postMessage('x'.repeat(1e6), '*')
        document.querySelector('p').textContent = JSON.stringify(report)
      })()`
    await ask(
      page,
      block(
        'html',
        `<link rel="stylesheet" href="${address}/style"><a href="${address}/link">Link</a><p></p><script>${script}</script>`,
      ),
    )
    await openPreview(page)
    const report = running(page).getByText('"origin"')
    await report.waitFor()
    expect(JSON.parse((await report.textContent()) ?? '')).toEqual({
      origin: 'null',
      page: 'SecurityError',
      sandbox: 'SecurityError',
      network: 'TypeError',
      popup: 'Refused',
      top: 'SecurityError',
      webrtc: 'ReferenceError',
    })
    // a click on a link stays
    await running(page).getByRole('link').click()
    await report.waitFor()
    expect(connectionCount).toBe(0)
    await region(page)
      .getByText(`This page wants files from ${address.slice(7)}; previews have no network.`)
      .waitFor()
    await region(page).getByText('Links to other pages and downloads do nothing in a preview.').waitFor()
    await close(page)
    takeProblems(page)
  })

  it('opens no frame inside its frame, and no connection, in any way', async () => {
    const sink = await openSink()
    const { page } = await sharedPage()
    await ask(page, block('html', frameWays(sink.host)))
    await openPreview(page)
    const output = running(page).locator('output', { hasText: 'tried' })
    await output.waitFor()
    expect(JSON.parse((await output.textContent()) ?? '')).toEqual(nothingOpened)
    expect(sink.connections).toEqual([])
    sink.close()
    await close(page)
    takeProblems(page)
  })

  it('in a frame that it opened all the same, nothing runs but the script that takes WebRTC away', async () => {
    const page = await newPage({ baseURL: address })
    const asMap = '<script type="importmap">top.postMessage("map", "*")</script>'
    const own = `<script>top.postMessage("own " + typeof RTCPeerConnection, "*")</script>${asMap}`
    const { html, policy } = await createFrameDocument({
      html: own,
      domains: { connect: [], resource: [] },
      labels: { ok: 'OK', cancel: 'Cancel' },
    })
    const script = html.slice(html.indexOf('<script type'))
    // with the policies alone: the script would write its document over these frames
    const outer = `<meta http-equiv="Content-Security-Policy" content="${policy}">${html.replace(script, '')}`
    const nested = `${own}${asMap.replace(' type="importmap"', '')}<body onload="top.postMessage('attribute','*')"><iframe src="javascript:top.postMessage('address','*')"></iframe>`
    const quote = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const frame = (html: string) => `<iframe srcdoc="${quote(html)}"></iframe>`
    await page.setContent(
      `<script>var seen = []; onmessage = function (event) { if (typeof event.data === 'string') seen.push(event.data) }</script>
      <iframe sandbox="allow-scripts" srcdoc="${quote(outer + frame(nested) + frame(script))}"></iframe>`,
    )
    // of the frame that has the script
    await expect.poll(() => page.evaluate('seen')).toEqual(['own undefined'])
    takeProblems(page)
  })

  it('that navigates away is stopped, and can start again', { tags: 'long' }, async () => {
    const { page } = await sharedPage()
    await ask(page, block('html', `<p>Leaving</p><script>location.href = '${address}/leave'</script>`))
    await openPreview(page)
    await region(page).getByText('The preview was stopped: it did not respond.').waitFor()
    await region(page).getByRole('button', { name: 'Start again' }).click()
    await region(page).locator('iframe').waitFor()
    expect(connectionCount).toBe(0)
    await close(page)
    takeProblems(page)
  })

  it('that loops forever does not stop the page', { tags: 'long' }, async () => {
    const { page } = await sharedPage()
    await ask(page, block('html', '<p>Loop</p><script>for (;;) {}</script>'))
    await openPreview(page)
    await composer(page).fill('The page still works')
    await region(page).getByText('The preview was stopped: it did not respond.').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('The page still works')
    await close(page)
  })

  it('that takes the keyboard from the page is stopped', { tags: 'long' }, async () => {
    const { page } = await sharedPage()
    await ask(
      page,
      block(
        'html',
        '<input><script>setInterval(function () { document.querySelector("input").focus() }, 50)</script>',
      ),
    )
    await openPreview(page)
    await running(page).getByRole('textbox').waitFor()
    await composer(page).click()
    await region(page).getByText('it took the keyboard while you were elsewhere').waitFor()
    await page.keyboard.type('mine')
    await expect.poll(() => composer(page).inputValue()).toBe('mine')
    await close(page)
  })

  it(
    'that takes the keyboard while a key is held down gets no key, and none is lost',
    { tags: 'long' },
    async () => {
      const { page } = await sharedPage()
      await ask(
        page,
        block(
          'html',
          '<input><script>var i = document.querySelector("input"); i.focus(); i.onblur = function () { setTimeout(function () { i.focus() }, 300) }</script>',
        ),
      )
      await openPreview(page)
      await running(page).getByRole('textbox').waitFor()
      await running(page).getByRole('textbox').click()
      await composer(page).click()
      await page.keyboard.down('m')
      await region(page).getByText('it took the keyboard while you were elsewhere').waitFor()
      await page.keyboard.up('m')
      await page.keyboard.type('ine')
      await expect.poll(() => composer(page).inputValue()).toBe('mine')
      await composer(page).fill('')
      await close(page)
    },
  )
})
