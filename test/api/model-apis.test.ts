/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasoningModelName, textOnlyModelName } from '../support/model-server/strict-request.ts'
import { demoModelName } from '../support/model-server/server.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { ask, joinText, listTypes } from '../support/read-along.ts'

const efforts = ['none', 'low', 'medium', 'high']
const models = [
  { id: demoModelName, api: 'chat' },
  { id: reasoningModelName, api: 'responses', efforts },
  { id: textOnlyModelName, api: 'messages' },
]

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({ env: { MODELS: JSON.stringify(models), RATE_LIMIT_FACTOR: '10' } })
})
afterAll(() => stack.stop())

const message = (model: string, content: string, sessionId: string = crypto.randomUUID()) => ({
  model,
  messages: [{ role: 'user' as const, content }],
  sessionId,
  messageId: crypto.randomUUID(),
})
const mailRequest =
  'Send an email to cleo@example.org with the subject "Lunch" saying "Shall we meet at noon?"'

describe.each(models)('over $api', ({ id }) => {
  it('a new user signs up, connects Gmail, and sends an e-mail after approving it', async () => {
    const user = await stack.newUser()
    await connectProvider(stack, user, 'gmail')
    const request = message(id, mailRequest)
    await ask(user, request).finished
    const { run } = await user.call('sessions.read', { params: { sessionId: request.sessionId } })
    expect(run).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval', integration: 'Gmail' }] })
    const [question] = run?.questions ?? []
    const response = await user.call('runs.answer', {
      params: { sessionId: request.sessionId },
      body: { runId: run?.run_id ?? '', callId: question?.call_id ?? '', approved: true },
    })
    expect(response).toMatchObject({ success: true, error: null, toolCalls: [{ result: { success: true } }] })
    expect(response.content).not.toBe('')
    expect(response.notices ?? []).toEqual([])
    const found = await user.call('chat.send', {
      body: message(id, 'Show my recent emails to cleo@example.org'),
    })
    expect(found).toMatchObject({ error: null, toolCalls: [{ tool: 'gmail_get_emails' }] })
    expect(JSON.stringify(found.toolCalls)).toContain('Shall we meet at noon?')
  })
})

it('a conversation continues with another model over another API after tool calls', async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'gmail')
  const sessionId = crypto.randomUUID()
  for (const { id } of [...models, ...models.toReversed()]) {
    const found = await user.call('chat.send', { body: message(id, 'Show my recent emails', sessionId) })
    expect(found).toMatchObject({ error: null, toolCalls: [{ result: { success: true } }] })
  }
  const { messages } = await user.call('sessions.read', { params: { sessionId } })
  expect(messages).toHaveLength(12)
})

it('a reasoning model shows its reasoning before its text', async () => {
  const user = await stack.newUser()
  const received = await ask(user, { ...message(reasoningModelName, '/echo Done.'), effort: 'low' }).finished
  const types = listTypes(received)
  expect(types).toContain('reasoning-delta')
  expect(types.indexOf('reasoning-end')).toBeLessThan(types.indexOf('text-start'))
  expect(joinText(received)).toBe('Done.')
})
