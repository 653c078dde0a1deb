import { afterAll, describe, expect, it } from 'vitest'
import { says, startFakeModel, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import { toMessagesRequest } from './messages-api/messages-request.ts'
import type { ModelApi, ModelMessage } from './model.ts'
import { withoutVision } from './omit-images.ts'
import { openModel } from './open-model.ts'
import { estimatePromptTokens } from './token-estimate.ts'

const server = await startFakeModel()
afterAll(() => server.close())

const first = 'data:image/png;base64,AA=='
const second = 'data:image/png;base64,BB=='
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'draw', arguments: '{}' } })
/** Three calls of one round. Two of them returned images, one of which is not loaded. */
const messages: ModelMessage[] = [
  { role: 'user', content: 'Draw' },
  { role: 'assistant', content: null, tool_calls: [call('1'), call('2'), call('3')] },
  { role: 'tool', tool_call_id: '1', content: 'one', images: [{ url: first, fileId: 'f1' }] },
  { role: 'tool', tool_call_id: '2', content: 'two', images: [{ url: second }, { fileId: 'f2' }] },
  { role: 'tool', tool_call_id: '3', content: 'three' },
]

const refuses =
  (message: string): ModelBehaviour =>
  (response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message } }))

async function prepareRequest(api: ModelApi, ...behaviours: ModelBehaviour[]) {
  server.behave(...behaviours)
  const omitted: string[] = []
  const model = openModel({ api, baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  const request = {
    messages,
    tools: [],
    signal: new AbortController().signal,
    onText: () => undefined,
    onOmit: (omission: string) => omitted.push(omission),
  }
  return { model, request, omitted }
}

describe('DEC-183 an image that a tool returned', () => {
  it('is in the output of the call (Responses)', async () => {
    const { model, request } = await prepareRequest('responses', says('Hi'))
    await model.complete(request)
    const input = server.requests[0]?.['input'] as { type?: string; output?: unknown }[]
    const outputs = input.filter(({ type }) => type === 'function_call_output').map(({ output }) => output)
    const output = (text: string, url: string) => [
      { type: 'input_text', text },
      { type: 'input_image', detail: 'auto', image_url: url },
    ]
    expect(outputs).toEqual([output('one', first), output('two', second), 'three'])
  })

  it('follows all results of the round as a message of the user (Chat Completions)', async () => {
    const { model, request } = await prepareRequest('chat', says('Hi'))
    await model.complete(request)
    expect(server.requests[0]?.messages?.slice(2)).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'one' },
      { role: 'tool', tool_call_id: '2', content: 'two' },
      { role: 'tool', tool_call_id: '3', content: 'three' },
      {
        role: 'user',
        content: [
          { type: 'text', text: expect.stringMatching(/untrusted/) as string },
          { type: 'image_url', image_url: { url: first } },
          { type: 'image_url', image_url: { url: second } },
        ],
      },
    ])
  })

  it('is in the result (Messages)', () => {
    const { messages: requestMessages } = toMessagesRequest({ messages, tools: [] }, { model: 'claude' })
    const image = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    expect(requestMessages.at(-1)?.content).toMatchObject([
      { tool_use_id: '1', content: [{ type: 'text', text: 'one' }, image('AA==')] },
      { tool_use_id: '2', content: [{ type: 'text', text: 'two' }, image('BB==')] },
      { tool_use_id: '3', content: 'three' },
    ])
  })

  it.each<[ModelApi, string]>([
    ['chat', 'no images'],
    ['responses', 'no images'],
    ['responses', 'input.2.output: expected a string'],
  ])('is left out for a server that accepts none (%s, %s)', async (api, message) => {
    const { model, request, omitted } = await prepareRequest(api, refuses(message), says('Hi'))
    await model.complete(request)
    expect(omitted).toEqual(['refusedImages'])
    expect(JSON.stringify(server.requests[1])).not.toContain('data:image')
    expect(JSON.stringify(server.requests[1])).toContain('could not be shown to you')
  })

  it('comes after a message of the assistant where a server wants one after a tool', async () => {
    const message = "Unexpected role 'user' after role 'tool'"
    const { model, request, omitted } = await prepareRequest('chat', refuses(message), says('Hi'))
    await model.complete(request)
    expect(omitted).toEqual([])
    const roles = server.requests[1]?.messages?.map(({ role }) => role)
    expect(roles?.slice(-5)).toEqual(['tool', 'tool', 'tool', 'assistant', 'user'])
  })

  it('is not sent to a model without vision', async () => {
    const { model, request, omitted } = await prepareRequest('chat', says('Hi'))
    await withoutVision(model).complete(request)
    expect(omitted).toEqual(['images'])
    expect(JSON.stringify(server.requests[0])).not.toContain('data:image')
  })

  it('counts as tokens', () => {
    const tokens = estimatePromptTokens(messages, [])
    expect(tokens).toBeGreaterThan(5_000)
    expect(tokens).toBeLessThan(5_200)
  })
})
