/** @module-tag long */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BedrockDouble, startBedrockDouble } from '../support/bedrock/server.ts'
import { reasoningModelName } from '../support/model-server/strict-request.ts'
import { type DemoModel, startDemoModel } from '../support/model-server/server.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const claude = 'us.anthropic.claude-sonnet-5'
const gpt = 'us.openai.gpt-6-sol'
const oss = 'openai.gpt-oss-120b-1:0'

/** The developer's own credentials: the product's functions have others. */
const credentials = { accessKeyId: 'AKIADEVELOPER', secretAccessKey: 'a secret', sessionToken: 'a session' }
const region = 'us-west-2'

let model: DemoModel
let bedrock: BedrockDouble
let stack: LocalStack
let ann: StackUser
beforeAll(async () => {
  model = await startDemoModel({ tokensPerSecond: 20_000 })
  bedrock = await startBedrockDouble({
    region,
    credentials: () => credentials,
    model: { ...model, name: reasoningModelName },
  })
  stack = await startStack({
    env: {
      MODEL_SERVER: 'bedrock',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
      OPENAI_MODEL: claude,
      MODELS: JSON.stringify([
        { id: claude, efforts: ['low', 'high'] },
        { id: gpt },
        { id: oss, api: 'chat', efforts: ['none'] },
        { id: 'us.anthropic.claude-denied' },
        { id: 'eu.anthropic.claude-sonnet-5' },
      ]),
      RATE_LIMIT_FACTOR: '10',
    },
  })
  ann = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, ann, 'gmail')
})
afterAll(async () => {
  await stack.stop()
  await bedrock.close()
  await model.close()
})
beforeEach(() => {
  bedrock.faults.clear()
  bedrock.requests.length = 0
})

const question = (content: string, more: object = {}) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
  ...more,
})

describe('MODEL_SERVER=bedrock', () => {
  it.each([
    ['Messages', { model: claude, effort: 'high' }, '/anthropic/v1/messages'],
    ['Responses', { model: gpt }, '/openai/v1/responses'],
    ['Chat Completions', { model: oss, effort: 'none' }, '/openai/v1/chat/completions'],
  ])('over %s a tool call waits for its approval, runs, and gets its result', async (_, choice, path) => {
    const to = `${choice.model.replaceAll(/\W/g, '-')}@example.org`
    const body = question(`Send an email to ${to} with the subject "Lunch" saying "Noon?"`, choice)
    await ann.call('chat.send', { body })
    const params = { sessionId: body.sessionId }
    const { run } = await ann.call('sessions.read', { params })
    const [approval] = run?.questions ?? []
    expect(approval).toMatchObject({ kind: 'approval', integration: 'Gmail', arguments: { to } })
    const { toolCalls, content } = await ann.call('runs.answer', {
      params,
      body: { runId: run?.run_id ?? '', callId: approval?.call_id ?? '', approved: true },
    })
    expect(toolCalls).toMatchObject([{ tool: 'gmail_send_email', result: { success: true } }])
    expect(content).not.toBe('')
    // the conversation continues with the tool's result, and every request was signed
    expect(bedrock.requests).toEqual([
      { path, model: choice.model },
      { path, model: choice.model },
    ])
    expect(bedrock.countRejected()).toBe(0)
  })

  it('a conversation continues with another model over another API', async () => {
    const body = question('/echo One', { model: claude, effort: 'low' })
    expect((await ann.call('chat.send', { body })).content).toBe('One')
    const next = { ...question('/echo Two', { model: gpt }), sessionId: body.sessionId }
    expect((await ann.call('chat.send', { body: next })).content).toBe('Two')
    expect(bedrock.requests.map(({ path }) => path)).toEqual([
      '/anthropic/v1/messages',
      '/openai/v1/responses',
    ])
  })

  it.each([
    ['a missing permission', claude, 'denied', 'model_not_permitted'],
    ['a model that is not enabled', claude, 'not-enabled', 'model_not_permitted'],
    ['a retired model', gpt, 'retired', 'model_retired'],
    ['throttling', claude, 'throttled', 'model_busy'],
    ['a model that this region does not have', 'eu.anthropic.claude-sonnet-5', undefined, 'model_unknown'],
  ] as const)(
    '%s is reported, and the conversation can continue with another model',
    async (_, id, fault, code) => {
      if (fault) bedrock.faults.set(id, fault)
      const body = question('/echo Hello', { model: id })
      const response = await ann.send('chat.send', { body })
      expect(response.body).toMatchObject({ success: false, code })
      const next = { ...question('/echo Again', { model: oss, effort: 'none' }), sessionId: body.sessionId }
      expect((await ann.call('chat.send', { body: next })).content).toBe('Again')
    },
  )
})
