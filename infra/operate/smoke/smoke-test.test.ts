import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it, vi } from 'vitest'
import { securityHeaders } from '../../aws/security-headers.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { runSmokeTest, type StepResult } from './smoke-test.ts'

const origin = 'https://chat.example.org'
const pool = 'https://cognito-idp.eu-west-1.amazonaws.com'
const config = {
  region: 'eu-west-1',
  userPoolId: 'eu-west-1_pool',
  userPoolClientId: 'client',
  version: '1.0.0',
  passwordSignIn: false,
}

/** A deployment's responses without a sign-in. */
const pages: Record<string, () => Response> = {
  '/config.json': () => Response.json(config, { headers: { 'cache-control': 'no-store' } }),
  '/': () =>
    new Response('<script type="module" src="/assets/index-1.js"></script>', { headers: pageHeaders }),
  '/assets/index-1.js': () =>
    new Response('', { headers: { 'cache-control': 'public, max-age=31536000, immutable' } }),
  '/api/health': () => Response.json({ ok: true, version: '1.0.0' }),
  '/api/sessions': () => Response.json({}, { status: 401 }),
}
const pageHeaders = securityHeaders({ connectOrigins: [pool], imageOrigins: [], https: true })

it('DEC-191 without passwords, tests what needs no sign-in, creates no user, and says so', async () => {
  const pools = mockClient(CognitoIdentityProviderClient)
  vi.stubGlobal('fetch', async (url: string) => {
    const response = pages[new URL(url).pathname]?.() ?? new Response('', { status: 404 })
    return Object.defineProperty(response, 'url', { value: url })
  })
  const results: StepResult[] = []
  const passed = await runSmokeTest(
    {
      origin,
      userPoolId: config.userPoolId,
      pools: new CognitoIdentityProviderClient({ region: 'eu-west-1' }),
    },
    { report: (result) => results.push(result), signal: new AbortController().signal, keep: false },
  )
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(passed).toBe(true)
  expect(results.map(({ name }) => name)).toEqual([
    'configuration',
    'page',
    'health',
    'without sign-in',
    'sign-in',
  ])
  expect(results.at(-1)?.detail).toMatch(/^left out, with all that needs it: passwordSignIn is off/)
  expect(pools.calls()).toEqual([])
})
