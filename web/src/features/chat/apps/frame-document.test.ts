import { expect, it } from 'vitest'
import { createFrameDocument } from './frame-document.ts'
import { frameScript, frameScriptHash } from './frame-script.ts'

const plain = { domains: { connect: [], resource: [] }, labels: { ok: 'OK', cancel: 'Cancel' } }

it('DEC-185 the policy lets one script run, and it is the one that is sent', async () => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(frameScript)))
  expect(frameScriptHash).toBe(`'sha256-${btoa(String.fromCharCode(...digest))}'`)
  const { html } = createFrameDocument({ html: '<p>', ...plain })
  // not 'strict-dynamic': with it WebKit lets modules come from everywhere
  expect(html).toMatch(
    /^<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-[\w+/=]+' 'unsafe-eval' blob:; require-trusted-types-for 'script'; trusted-types default">/,
  )
  expect(html.endsWith(`<script>${frameScript}</script>`)).toBe(true)
  expect(frameScript).not.toContain('</script')
})

it('the document is data until the script writes it', () => {
  const hostile = '</script><script>alert(1)</script><!--<script>'
  const { html } = createFrameDocument({ html: hostile, ...plain })
  const json = /<script type="application\/json">([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(json)).toMatchObject({ html: hostile, loads: false })
})
