import { expect, it } from 'vitest'
import { securityHeaders } from './security-headers.ts'

const headers = securityHeaders({
  connectOrigins: ['https://cognito-idp.eu-west-1.amazonaws.com'],
  imageOrigins: ['https://uploads.example'],
})

it('allows the named hosts and nothing else', () => {
  expect(headers['content-security-policy']).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https://uploads.example; " +
      "media-src 'self' data: https://uploads.example; font-src 'self'; connect-src 'self' https://cognito-idp.eu-west-1.amazonaws.com; object-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  )
})

it('allows frames of the origin of apps, if there is one', () => {
  const policy = securityHeaders({ connectOrigins: [], imageOrigins: [], appsOrigin: 'https://apps.example' })
  expect(policy['content-security-policy']).toContain("; frame-src 'self' https://apps.example; ")
})

it('sets the other headers', () => {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  })
})

it('requires https only for a site on https', () => {
  expect(headers).not.toHaveProperty('strict-transport-security')
  const secure = securityHeaders({ connectOrigins: [], imageOrigins: [], https: true })
  expect(secure['strict-transport-security']).toBe('max-age=63072000')
})
