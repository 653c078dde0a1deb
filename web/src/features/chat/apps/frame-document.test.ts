import { expect, it } from 'vitest'
import { createFrameDocument } from './frame-document.ts'
import { frameScript, frameScriptHash } from './frame-script.ts'

const plain = { domains: { connect: [], resource: [] }, labels: { ok: 'OK', cancel: 'Cancel' } }

it('DEC-185 the policy lets one script run, and it is the one that is sent', async () => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(frameScript)))
  expect(frameScriptHash).toBe(`'sha256-${btoa(String.fromCharCode(...digest))}'`)
  const { html } = await createFrameDocument({ html: '<p>', ...plain })
  // not 'strict-dynamic': with it WebKit lets modules come from everywhere
  expect(html).toMatch(
    /^<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-[\w+/=]+' 'unsafe-eval' blob:; require-trusted-types-for 'script'; trusted-types default">/,
  )
  expect(html.endsWith(`<script>${frameScript}</script>`)).toBe(true)
  expect(frameScript).not.toContain('</script')
})

it('the document is data until the script writes it', async () => {
  const hostile = '</script><script>alert(1)</script><!--<script>'
  const { html } = await createFrameDocument({ html: hostile, ...plain })
  const json = /<script type="application\/json">([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(json)).toMatchObject({ html: hostile, loads: false })
})

it.each([
  ['<SCRIPT async type = "importmap">{ "imports": { "a": "https://a.example/a.js" } }</script>', 1],
  ['<script type=importmap>{}</script><script type="importmap">{"scopes":{"/":{}}}</script>', 2],
  // the text would run as a script of that hash
  ['<script type="importmap">top.postMessage("ran", "*")</script>', 0],
  ['<script type="module">{"imports":{}}</script><script type="importmap">null</script>', 0],
])('the policy knows import maps, not other code: %s', async (page, count) => {
  const { html } = await createFrameDocument({ html: page, ...plain })
  expect(/content="([^"]*)"/.exec(html)?.[1]?.match(/'sha256-/g)).toHaveLength(1 + count)
})
