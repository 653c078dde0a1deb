import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, it, vi } from 'vitest'
import { setUpHandlerTests } from '../../../test/support/handler-tests.ts'
import { chatContracts } from '#shared/contracts/chat.ts'
import { runsContracts } from '#shared/contracts/runs.ts'
import { speechContracts } from '#shared/contracts/speech.ts'
import { installLambdaGlobal, invokeStreaming } from '../../../test/support/invoke-streaming.ts'
import type { ValidRequest, ApiHandlers } from './api-function.ts'

const { db, token } = setUpHandlerTests()
beforeAll(installLambdaGlobal)

const validBody = { messages: [{ role: 'user', content: 'Hello' }] }
const reply = { success: true, content: 'Hi!', toolCalls: [], error: null }
type Handle = (call: ValidRequest<'chat.send'>) => Promise<typeof reply>
const guardAndRespond: Handle = async ({ guard }) => {
  await guard()
  return reply
}

async function send(handle: Handle, body: unknown = validBody, sub: string = crypto.randomUUID()) {
  const { apiFunction } = await import('./api-function.ts')
  const handlers = { 'chat.send': handle } as unknown as ApiHandlers<'chat'>
  const handler = apiFunction('chat', { ...chatContracts, ...runsContracts, ...speechContracts }, handlers, {
    selfGuarded: ['chat.send'],
  })
  const headers = { Authorization: `Bearer ${await token(sub)}` }
  const { statusCode, body: response } = await invokeStreaming(handler, 'chat.send', { body, headers })
  return [statusCode, response['code']]
}
const countCalls = () => db.commandCalls(UpdateCommand).length

it('calls the handler before it counts the call, and counts each call once', async () => {
  let before: number | undefined
  const handle: Handle = async ({ guard }) => {
    before = countCalls()
    await Promise.all([guard(), guard()])
    return reply
  }
  expect(await send(handle)).toEqual([200, undefined])
  expect([before, countCalls()]).toEqual([0, 1])
})

it('reports a handler that responds without calling its guard as an internal error', async () => {
  expect(await send(async () => reply)).toEqual([500, 'internal_error'])
})

it('counts a call whose body is refused, or that fails before it is guarded', async () => {
  const handle = vi.fn<Handle>(guardAndRespond)
  expect(await send(handle, { messages: 'none' })).toEqual([400, 'bad_request'])
  expect(handle).not.toHaveBeenCalled()
  expect(countCalls()).toBe(1)
  expect(await send(() => Promise.reject(new TypeError('a bug')))).toEqual([500, 'internal_error'])
  expect(countCalls()).toBe(2)
})

it('refuses a revoked token whatever else is wrong with the call', async () => {
  const mark = { reason: 'signed-out', at: Math.floor(Date.now() / 1_000) + 60, ttl: 4_000_000_000 }
  for (const [handle, body] of [
    [guardAndRespond, validBody],
    [guardAndRespond, { messages: 'none' }],
    [() => Promise.reject(new TypeError('a bug')), validBody],
  ] as const) {
    const sub = crypto.randomUUID()
    db.on(GetCommand, { Key: { PK: `OUT#${sub}`, SK: 'OUT' } }).resolves({ Item: mark })
    expect(await send(handle, body, sub)).toEqual([401, 'invalid_token'])
  }
})

it('refuses a caller who is known to be over the limit before it reads the body', async () => {
  const sub = crypto.randomUUID()
  db.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: 'no', $metadata: {} }))
  const handle = vi.fn<Handle>(guardAndRespond)
  expect(await send(handle, validBody, sub)).toEqual([429, 'too_many_requests'])
  expect([handle.mock.calls.length, countCalls()]).toEqual([1, 1])
  expect(await send(handle, { messages: 'none' }, sub)).toEqual([429, 'too_many_requests'])
  expect([handle.mock.calls.length, countCalls()]).toEqual([1, 1])
})
