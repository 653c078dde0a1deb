import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrameDocument } from '../../web/src/features/chat/apps/frame-document.ts'
import { newPage, takeProblems } from '../support/browser.ts'

/** What a document in the sandbox may rely on, without the page around it. Its `report` adds a word to its only `output`. */
const reporter =
  '<!doctype html><output></output><script>function report(word) { document.querySelector("output").textContent += word + " " }</script>'

/**
 * Runs a document in a frame without an origin.
 * @param resource the origins from which an app may load; without, it is a preview
 * @param lower takes something away from the policies
 */
async function runDocument(html: string, resource?: string[], lower = (text: string) => text) {
  const page = await newPage({ baseURL: 'http://127.0.0.1' })
  const document = await createFrameDocument({
    html: reporter + html,
    domains: { connect: [], resource: resource ?? [] },
    labels: { ok: 'OK', cancel: 'Cancel' },
    ...(!resource && { preview: { storage: {}, answers: [] } }),
  })
  const source = lower(
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${document.policy}">${document.html}`,
  )
  await page.setContent(
    `<script>var messages = []; onmessage = function (event) { messages.push(JSON.stringify(event.data)) }</script>
    <iframe sandbox="allow-scripts allow-forms" srcdoc="${source.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" height="600"></iframe>`,
  )
  return { page, frame: page.frameLocator('iframe') }
}

const readOutput = async (page: Page) =>
  (await page.frameLocator('iframe').locator('output').allTextContents()).join('')

const readMessages = (page: Page) => page.evaluate<string>('messages.join()')

describe('a document in the sandbox', () => {
  it.each([
    [
      'runs its scripts after letters whose lower case is longer',
      '<p>İİİİİİİİİİ</p><script>report("ran")</script><p>İİİ</p><script>report("twice")</script>',
      'ran twice ',
    ],
    [
      'ends a script where browsers end it',
      '<SCRIPT>report("</scripture>".length)</SCRIPT ><script\n>report("next")</script>',
      '12 next ',
    ],
    [
      'runs its code as it was written, also where it looks like a tag that is renamed',
      `<script>
        var shown = 1, frame = 2, x = 1, link = 2, i = 3, object = 2\r
        if(shown<frame && x<link ) report('less ' + '<iframe '.length + '<!ENTITY'.length)
      </script>
      <svg><script><![CDATA[ if (x<2 && i<4) report('foreign') ]]></script></svg>
      <template><script>if (i<object || x<link ) report('cloned')</script></template>
      <script>
        ;[0, 1].forEach(function () { document.body.append(document.querySelector('template').content.cloneNode(true)) })
        document.write('<script>if (x<link ) report("written")<\\/script>')
      </script>`,
      'less 88 foreign cloned cloned written ',
    ],
    [
      'replaces what it stores, and learns when there is no room',
      `<script>
        var long = 'x'.repeat(60000)
        localStorage.setItem('a', long)
        localStorage.setItem('a', long + 'y')
        report(localStorage.a.length)
        ;[long, '\\u0001'.repeat(20000)].forEach(function (value) {
          try { localStorage.setItem('b', value); report('fits') } catch (error) { report(error.name) }
        })
        try { localStorage.setItem('a', long + long) } catch (error) { report(error.name) }
        report(localStorage.length + ' ' + localStorage.a.length)
      </script>`,
      '60001 QuotaExceededError QuotaExceededError QuotaExceededError 1 60001 ',
    ],
    [
      'has handlers that see its functions and one parameter, that for errors of the window five',
      `<script>function error() { report('error') } function source() { report('source') }</script>
      <button onclick="error(); source(); report(arguments.length); report(event.type)"></button>
      <img onerror="error()" src="data:,">
      <body onerror="report(typeof source); report(error.message); return true">
      <script>document.querySelector('img').addEventListener('error', function () { document.querySelector('button').click(); throw new TypeError('five') })</script>`,
      'error error source 1 click string five ',
    ],
    [
      'keeps its history when a state is replaced or cannot be stored',
      `<script>
        history.pushState(1, '')
        history.pushState(2, '')
        addEventListener('popstate', function (event) {
          report(event.state)
          if (event.state === 1) {
            history.replaceState('one', '')
            try { history.pushState(function () {}, '') } catch (error) { report(error.name) }
            report(history.state + ' ' + history.length)
            history.forward()
          }
          else if (event.state) {
            history.go(-2)
            setTimeout(function () { history.pushState('new', ''); report(history.length) })
          }
        })
        history.back()
      </script>`,
      '1 DataCloneError one 3 2 null 2 ',
    ],
    [
      'loses a handler with its attribute and gets it back with it; one that it took away stays away',
      `<button onclick="report('pressed')"></button><img onerror="this.onerror = null; report('error'); this.src = 'data:,again'" src="data:,"><script>
        setTimeout(function () {
          var button = document.querySelector('button'), code = button.getAttribute('onclick')
          button.click()
          button.removeAttribute('onclick')
          setTimeout(function () {
            button.click()
            button.setAttribute('onclick', code)
            setTimeout(function () { button.click(); report('end') })
          })
        }, 100)
      </script>`,
      'error pressed pressed end ',
    ],
    [
      'has links outside of the document that tell their listeners',
      `<script>
        var link = document.createElement('a')
        link.href = 'https://elsewhere.example/'
        link.onclick = function () { report('clicked') }
        link.append(document.createElement('b'))
        link.click()
        link.firstChild.click()
        setTimeout(function () { report('stays') }, 100)
      </script>`,
      'clicked clicked stays ',
    ],
    [
      'runs links with code that has a percent sign',
      `<a href="javascript:report(50%7)"></a><a href="javascript:report('%41')"></a><script>
        document.querySelectorAll('a').forEach(function (link) { link.click() })
      </script>`,
      '1 A ',
    ],
    [
      'has scripts that see what the ones before declared, in any order of modules, deferred and inserted ones',
      `<script type="module">let own = typeof import.meta.url; report(own + typeof last + document.querySelector('b').id)</script>
      <script>let count = 1; const add = () => ++count; class Card {}; report(document.currentScript.localName)</script>
      <i onclick="count += 10; add()"></i>
      <script>
        document.querySelector('i').click()
        var inserted = document.createElement('script')
        inserted.id = 'inserted'
        inserted.text = 'add(); var made = typeof Card + document.currentScript.id'
        document.head.append(inserted)
        report(count + made)
        inserted.remove()
        document.write('<script>report(typeof made + typeof inserted)<\\/script><script type="module">export default report("module")<\\/script>')
        var never = document.createElement('div')
        never.innerHTML = '<script>report("never")<\\/script>'
        document.head.append(never)
        setTimeout('report(count)')
      </script>
      <img src="data:,"><script>'use strict'; document.querySelector('img').onerror = function () { report('error') }</script>
      <b id="parsed"></b><script>const last = 1</script>`,
      'script 13functioninserted stringobject 13 stringnumberparsed module error ',
    ],
    [
      'opens, writes and closes other documents without losing itself',
      `<script>
        addEventListener('load', function () { setTimeout(function () {
          var other = document.implementation.createHTMLDocument('')
          report(other.open() === other)
          other.write('<p>')
          other.close()
          report('stays')
        }, 100) })
      </script>`,
      'true stays ',
    ],
  ])('%s', { tags: 'long' }, async (_, html, output) => {
    const { page } = await runDocument(html)
    await expect.poll(() => readOutput(page)).toBe(output)
    takeProblems(page)
  })

  it('runs nothing where a browser does not refuse what the policy refuses', async () => {
    const tries = [
      // a policy that lets a module come from elsewhere, and one that lets a request go there
      ["'unsafe-eval' blob:;", "'unsafe-eval' blob: https:;"],
      ["connect-src 'none'", 'connect-src https:'],
    ] as const
    await Promise.all(
      tries.map(async ([refused, allowed]) => {
        const ran = '<script>parent.postMessage("ran", "*")</script>'
        const { page } = await runDocument(ran, undefined, (text) => text.replaceAll(refused, allowed))
        await expect.poll(() => readMessages(page)).toContain('frame/unguarded')
        expect(await readMessages(page)).not.toContain('ran')
        takeProblems(page)
      }),
    )
  })

  it('has elements of its own whose names start like those of placeholders', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      `<x-card onclick="report('clicked')" src="https://card.example/a">Card</x-card>
      <iframe src="https://frame.example/"></iframe><embed src="https://embed.example/"><object data="https://object.example/"></object>`,
    )
    await frame.getByText('Card').click()
    await expect.poll(() => readOutput(page)).toBe('clicked ')
    await expect.poll(() => readMessages(page)).toContain('"frame.example","embed.example","object.example"')
    expect(await readMessages(page)).not.toContain('card.example')
    takeProblems(page)
  })

  it('is not left by the right button', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      `<a href="https://elsewhere.example/">Leave</a> <a href="javascript:report('ran')">Run</a>
      <script>addEventListener('auxclick', function (event) { report(event.button) })</script>`,
    )
    await frame.getByText('Leave').click({ button: 'right' })
    await frame.getByText('Run').click({ button: 'right' })
    await expect.poll(() => readOutput(page)).toBe('2 2 ')
    expect(await readMessages(page)).not.toContain('"leaving":true')
    await frame.getByText('Leave').click({ button: 'middle' })
    await expect.poll(() => readMessages(page)).toContain('"leaving":true')
    takeProblems(page)
  })

  it('leads to a named anchor each time', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      '<a href="#end">Go</a><p style="height:3000px"></p><a name="end">End</a>',
    )
    const body = frame.locator('body')
    for (const _ of ['first', 'again']) {
      await body.evaluate(() => scrollTo(0, 0))
      await frame.getByText('Go').click()
      await expect.poll(() => body.evaluate(() => scrollY)).toBeGreaterThan(1_000)
    }
    takeProblems(page)
  })

  it(
    'runs no timer that was cleared after it had become due during a question',
    { tags: 'long' },
    async () => {
      const { page, frame } = await runDocument(
        `<button onclick="start(); if (confirm('Stop?')) { clearTimeout(timer); setTimeout(report, 200, 'end') }">Stop</button>
      <script>
        var timer, signal
        function start() {
          if (timer) return
          timer = setTimeout(report, 0, 'late')
          signal = AbortSignal.timeout(50)
          signal.onabort = function () { report('due') }
        }
      </script>`,
      )
      await frame.getByText('Stop', { exact: true }).click()
      await frame.getByRole('alertdialog').waitFor()
      await expect.poll(() => readOutput(page)).toContain('due ')
      await frame.getByRole('button', { name: 'OK' }).click()
      await expect.poll(() => readOutput(page)).toContain('end ')
      expect(await readOutput(page)).not.toContain('late')
      takeProblems(page)
    },
  )

  it('goes on with an answer to a script that it wrote later', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      `<script>addEventListener('load', function () { setTimeout(function () {
        document.write('<script>document.title = confirm("Sure?")<\\/script>')
        document.close()
      }, 100) })</script>`,
    )
    await frame.getByRole('button', { name: 'OK' }).click()
    await expect.poll(() => frame.locator('body').evaluate(() => document.title)).toBe('true')
    takeProblems(page)
  })

  it('has all that it wrote when it closes', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      `<button onclick="document.write('<p>1 <'); document.close()">Write</button>`,
    )
    await frame.getByText('Write').click()
    await expect.poll(() => frame.locator('body').innerText()).toBe('1 <')
    takeProblems(page)
  })
})

describe('files of an app', () => {
  const files = createServer((request, response) => {
    const colour = /\d+/.exec(request.url ?? '')?.[0]
    const [type, text] = colour
      ? ['text/css', `p { color: rgb(${colour}, 0, 0) }`]
      : ['text/javascript', `export default ${JSON.stringify(request.url)}`]
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(text)
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  })
  afterAll(() => void files.close())

  it('modules have the names of its import maps', { tags: 'long' }, async () => {
    const { page } = await runDocument(
      `<script type="importmap">{ "imports": { "first": "${origin}/a.js", "folder/": "${origin}/b/" } }</script>
      <script type="importmap">{ "imports": { "second": "${origin}/c.js" } }</script>
      <script type="module">
        import first from 'first'
        import second from 'second'
        report(first + second)
        import('folder/d.js').then(function (file) { report(file.default) })
      </script>`,
      [origin],
    )
    await expect.poll(() => readOutput(page)).toBe('/a.js/c.js /b/d.js ')
    takeProblems(page)
  })

  it('style sheets follow the address, the medium and the end of their links', { tags: 'long' }, async () => {
    const { page, frame } = await runDocument(
      `<link rel="stylesheet" href="${origin}/1.css" id="first" onload="report('loaded')"><link rel="stylesheet" href="${origin}/2.css" media="print" onload="this.media='all'"><p>Text</p>`,
      [origin],
    )
    const colour = () =>
      frame
        .getByText('Text')
        .evaluate((node) => getComputedStyle(node).color)
        .catch(() => '')
    const change = (code: string) =>
      frame.locator('body').evaluate((_, text) => {
        const script = document.createElement('script')
        script.textContent = text
        document.body.append(script)
      }, code)
    await expect.poll(() => colour()).toBe('rgb(2, 0, 0)')
    expect(await readOutput(page)).toBe('loaded ')
    await change(`document.querySelector('meta[media]').href = '${origin}/3.css'`)
    await expect.poll(() => colour()).toBe('rgb(3, 0, 0)')
    await change(`first.href = '${origin}/4.css'`)
    await expect.poll(() => readOutput(page)).toBe('loaded loaded ')
    expect(await colour()).toBe('rgb(3, 0, 0)')
    await expect.poll(() => frame.locator('style').count()).toBe(2)
    await change(`document.querySelector('meta[media]').remove()`)
    await expect.poll(() => colour()).toBe('rgb(4, 0, 0)')
    takeProblems(page)
  })
})
