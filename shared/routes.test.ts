import { expect, it } from 'vitest'
import { routePath, routes, type Route } from '#shared/routes.ts'

const table = Object.entries(routes as Record<string, Route>)

it('only the health check and the notice of the site are public, and only shared conversations and a backup code need no token', () => {
  expect(table.filter(([, { access }]) => access === 'public').map(([name]) => name)).toEqual([
    'site.read',
    'health',
  ])
  expect(table.filter(([, { access }]) => access === 'optional').map(([name]) => name)).toEqual([
    'shares.view',
    'mfa.verify',
  ])
})

it('no two routes share a method and a path', () => {
  const addresses = table.map(([, { method, path }]) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

it('DATA-38 DEC-105 every route lies under /functions/v1 or /api, the seven functions by their names', () => {
  expect(table.filter(([, { path }]) => !/^\/(functions\/v1|api)\//.test(path))).toEqual([])
  const functions = table.filter(([, { path }]) => path.startsWith('/functions/v1/'))
  expect(new Set(functions.map(([, { path }]) => path.split('/')[3]))).toEqual(
    new Set([
      'chat-openai',
      'analyze-document',
      'setup-2fa',
      'verify-2fa',
      'oauth-handler',
      'credential-manager',
      'mcp-registry-sync',
    ]),
  )
})

it('all routes except public ones are counted', () => {
  // `shares.view` reads with a secret in its body
  const wronglyLimited = table.filter(
    ([name, { method, limit, access }]) =>
      (limit === 'none') !== (access === 'public') ||
      (limit === 'read') !== (access !== 'public' && (method === 'GET' || name === 'shares.view')),
  )
  expect(wronglyLimited).toEqual([])
})

it('DEC-190 users who have to set up a second factor reach the set-up, their account, sign-out and erasure', () => {
  expect(table.filter(([, route]) => 'withoutTwoFactor' in route).map(([name]) => name)).toEqual([
    'account.read',
    'account.signOutEverywhere',
    'account.erase',
    'mfa.setup',
    'mfa.verify',
    'mfa.status',
  ])
})

it('percent-encodes parameters', () => {
  expect(routePath('sessions.read', { sessionId: 'a/b?c' })).toBe('/api/sessions/a%2Fb%3Fc')
})
