import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes, type Route, type RouteName } from '#shared/routes.ts'
import { startTestPool } from '../emulators/cognito-pool.ts'
import '../support/expect-refusal.ts'
import { forgedTokens } from '../support/forged-tokens.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { sendRaw } from '../support/raw-http.ts'
import type { StackUser } from '../support/stack-user.ts'

const allRoutes = Object.entries(routes) as [RouteName, Route][]
const guarded = allRoutes.filter(([, { access }]) => access === 'user')

let stack: LocalStack
let ann: StackUser
let good: string
let bad: Record<string, string>

beforeAll(async () => {
  stack = await startStack()
  ann = await stack.newUser()
  const forged = await forgedTokens(stack.dataDir, ann.accessToken)
  const foreign = await startTestPool()
  try {
    const { tokens } = await foreign.signIn(await foreign.newUser())
    good = forged.good
    bad = { ...forged.bad, 'of another pool': tokens.access, 'for the page (ID token)': ann.idToken }
  } finally {
    await foreign.remove()
  }
})
afterAll(() => stack.stop())

function ask(name: RouteName, headers: Record<string, string>, body = '{}') {
  const { method, path } = routes[name]
  const isPost = method === 'POST'
  return sendRaw(stack.origin, {
    method,
    path: path.replaceAll(/\{\w+\}/g, 'any-id'),
    headers: { accept: name === 'runs.events' ? 'text/event-stream' : 'application/json', ...headers },
    ...(isPost && { body }),
  })
}

it('only the health check is public', () => {
  expect(allRoutes.filter(([, { access }]) => access === 'public').map(([name]) => name)).toEqual(['health'])
})

it('a token made with the pool’s own key is taken, so the others fail for their own reason', async () => {
  const reply = await ask('sessions.list', { authorization: `Bearer ${good}` })
  expect(reply).toMatchObject({ status: 200, text: '{"sessions":[]}' })
})

describe.each(guarded)('CHAT-52 DEC-106 %s', (name) => {
  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YW5uOnNlY3JldA==' }],
    ['no token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: 'Bearer a b' }],
    ['a cookie', { cookie: 'access_token=abc' }],
  ] as [string, Record<string, string>][])('asks for a sign-in with %s', async (_, headers) => {
    const reply = await ask(name, headers)
    expect(reply).toRefuse({ status: 401, code: 'not_signed_in' })
    expect(reply.headers['www-authenticate']).toBe('Bearer')
  })

  it('refuses every token that is none of ours', async () => {
    expect(Object.keys(bad)).toHaveLength(14)
    for (const [kind, token] of Object.entries({ ...bad, garbage: 'garbage', 'three parts': 'a.b.c' })) {
      const reply = await ask(name, { authorization: `Bearer ${token}` })
      expect(reply).toRefuse({ status: 401, code: 'invalid_token', about: kind })
      expect(reply.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it('does not read a stranger’s body', async () => {
    const reply = await ask(name, { authorization: 'Bearer garbage' }, '['.repeat(100_000))
    expect(reply).toRefuse({ status: 401, code: 'invalid_token' })
  })
})

it('nothing that was refused left a trace', async () => {
  expect(await ann.call('sessions.list')).toEqual({ sessions: [] })
  expect(stack.output()).not.toMatch(/unhandled|failed/)
})
