import { expect, it } from 'vitest'
import { routePath, routes, type Route } from '#shared/routes.ts'

const table = Object.entries(routes as Record<string, Route>)

it('only the health check is public, and only a backup code needs no token', () => {
  expect(table.filter(([, { access }]) => access === 'public').map(([name]) => name)).toEqual(['health'])
  expect(table.filter(([, { access }]) => access === 'optional').map(([name]) => name)).toEqual([
    'mfa.verify',
  ])
})

it('no two routes share a method and a path', () => {
  const addresses = table.map(([, { method, path }]) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

it('DATA-38 DEC-105 every route lies under /functions/v1 or /api, and calls that change something are counted', () => {
  const wrong = table.filter(
    ([, { method, path, limit }]) =>
      !/^\/(functions\/v1|api)\//.test(path) || (limit !== 'none') !== (method !== 'GET'),
  )
  expect(wrong).toEqual([])
})

it('fills parameters in, percent-encoded', () => {
  expect(routePath('sessions.read', { sessionId: 'a/b?c' })).toBe('/api/sessions/a%2Fb%3Fc')
})
