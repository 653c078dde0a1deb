import { expect, it, vi } from 'vitest'
import { getOrRegisterClient } from './registration.ts'

vi.mock('../../platform/site-config.ts', () => ({ loadSiteConfig: () => ({ origin: 'https://juno.test' }) }))

it('all attempts to register have one deadline: the person gets the form for a client of their own', async () => {
  vi.stubEnv('BRAND_NAME', 'Juno')
  const deadline = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
  const text = vi.fn<() => Promise<object>>(() => {
    if (text.mock.calls.length === 2) deadline.abort()
    return Promise.resolve({ status: 400, headers: new Headers(), text: '{}' })
  })
  const issuer = 'https://as.test'
  const server = { issuer, url: 'https://mcp.test/mcp' }
  const discovered = { metadata: { registration_endpoint: `${issuer}/register` }, server, scope: 'read' }
  const clients = { find: () => Promise.resolve(undefined) }
  const answer = await getOrRegisterClient({ http: { text }, clients } as never, discovered as never, () =>
    Promise.resolve(false),
  )
  expect([answer, text.mock.calls.length]).toEqual([{ isOffered: true, status: 400 }, 2])
})
