import { describe, expect, it } from 'vitest'
import { responseHeaders } from './response-headers.ts'

describe('responseHeaders', () => {
  it('puts headers with a field of their own into CloudFront’s fields, and the rest among the custom headers', () => {
    const { securityHeadersBehavior, customHeadersBehavior } = responseHeaders({
      'content-security-policy': "default-src 'self'",
      'X-Frame-Options': 'sameorigin',
      'strict-transport-security': 'max-age=600',
      'permissions-policy': 'camera=()',
    })
    expect(securityHeadersBehavior).toMatchObject({
      contentSecurityPolicy: { contentSecurityPolicy: "default-src 'self'", override: true },
      frameOptions: { frameOption: 'SAMEORIGIN', override: true },
      strictTransportSecurity: { includeSubdomains: false, override: true },
    })
    expect(securityHeadersBehavior?.strictTransportSecurity?.accessControlMaxAge.toSeconds()).toBe(600)
    expect(customHeadersBehavior).toEqual({
      customHeaders: [{ header: 'permissions-policy', value: 'camera=()', override: true }],
    })
  })

  it('sets CloudFront’s field for CORS if everybody may read a response, and only then', () => {
    const { corsBehavior, customHeadersBehavior } = responseHeaders({ 'access-control-allow-origin': '*' })
    expect(corsBehavior).toMatchObject({
      accessControlAllowOrigins: ['*'],
      accessControlAllowCredentials: false,
      originOverride: true,
    })
    expect(customHeadersBehavior).toBeUndefined()
    expect(responseHeaders({})).not.toHaveProperty('corsBehavior')
  })

  it.each([
    ['access-control-allow-origin', 'https://example.com'],
    ['x-frame-options', 'ALLOWALL'],
    ['x-content-type-options', 'sniff'],
    ['referrer-policy', 'sometimes'],
    ['strict-transport-security', 'for ever'],
  ])('refuses %s: %s, which CloudFront cannot send', (header, value) => {
    expect(() => responseHeaders({ [header]: value })).toThrow(
      `CloudFront cannot send the header value "${value}"`,
    )
  })
})
