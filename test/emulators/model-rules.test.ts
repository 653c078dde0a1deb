import OpenAI, { type APIError } from 'openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  reasoningModelName,
  retiredModelName,
  textOnlyModelName,
} from '../support/model-server/strict-request.ts'
import { type DemoModel, demoModelName, startDemoModel } from '../support/model-server/server.ts'

let server: DemoModel
let openai: OpenAI
beforeAll(async () => {
  server = await startDemoModel({ tokensPerSecond: 20_000 })
  openai = new OpenAI({ apiKey: server.apiKey, baseURL: server.baseUrl, maxRetries: 0 })
})
afterAll(() => server.close())

const question = { role: 'user' as const, content: 'How is the weather in the city of Oslo?' }
const image = 'data:image/png;base64,AA=='
const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const chatTool = { type: 'function' as const, function: weather }
const responsesTool = { type: 'function' as const, strict: false, ...weather }

type ChatBody = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>
const chat = (body: ChatBody) =>
  openai.chat.completions.create({ model: reasoningModelName, messages: [question], ...body, stream: false })

type ResponsesBody = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> & Record<string, unknown>
const respond = (body: ResponsesBody) =>
  openai.responses.create({
    model: reasoningModelName,
    input: [question],
    store: false,
    include: ['reasoning.encrypted_content'],
    ...body,
    stream: false,
  })

/** @returns the error as the client shows it; fails if there is none */
const readRejection = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    () => expect.unreachable('the request was accepted'),
    (cause: unknown) => cause as APIError,
  )
  const { status, param, code } = error
  return { status, param, code, message: error.message }
}

describe('over Chat Completions', () => {
  it.each<[string, ChatBody, object]>([
    [
      'tools while it reasons by default',
      { tools: [chatTool] },
      {
        status: 400,
        param: 'reasoning_effort',
        message: `400 Function tools with reasoning_effort are not supported for ${reasoningModelName} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      },
    ],
    ['tools with an effort', { tools: [chatTool], reasoning_effort: 'low' }, { param: 'reasoning_effort' }],
    [
      'an effort that it does not take',
      { reasoning_effort: 'xhigh' },
      { param: 'reasoning_effort', code: 'unsupported_value' },
    ],
    [
      'an effort that there is not',
      { reasoning_effort: 'turbo' as 'low' },
      { param: 'reasoning_effort', code: 'invalid_value' },
    ],
    [
      'an effort of a model that does not reason',
      { model: demoModelName, reasoning_effort: 'low' },
      { message: '400 Unrecognized request argument supplied: reasoning_effort' },
    ],
    [
      'max_tokens of a model that reasons',
      { max_tokens: 5 },
      { param: 'max_tokens', code: 'unsupported_parameter' },
    ],
    ['a temperature of a model that reasons', { temperature: 0.2 }, { param: 'temperature' }],
    [
      'an unknown parameter',
      { include: ['reasoning.encrypted_content'] },
      { message: '400 Unrecognized request argument supplied: include' },
    ],
    [
      'an unknown property of a message',
      { messages: [{ ...question, reasoning: [] } as typeof question] },
      { message: expect.stringContaining("('reasoning' was unexpected) - 'messages.0'") as string },
    ],
    [
      'an image for a model that sees none',
      {
        model: textOnlyModelName,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }],
      },
      { status: 400, message: '400 Invalid content type. image_url is only supported by certain models.' },
    ],
    [
      'a model that is retired',
      { model: retiredModelName },
      {
        status: 404,
        code: 'model_not_found',
        message: expect.stringContaining('has been deprecated') as string,
      },
    ],
    ['a model that there is not', { model: 'gpt-0' }, { status: 404, code: 'model_not_found' }],
  ])('rejects %s', async (_, body, expected) => {
    expect(await readRejection(chat(body))).toMatchObject(expected)
  })

  it('accepts tools without reasoning, and counts reasoning that it does not show', async () => {
    const { choices } = await chat({ tools: [chatTool], reasoning_effort: 'none' })
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'get_weather' } })
    const { usage } = await chat({ reasoning_effort: 'high' })
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0)
  })
})

describe('over Responses', () => {
  it.each<[string, ResponsesBody, object]>([
    ['a parameter of Chat Completions', { reasoning_effort: 'low' }, { code: 'unsupported_parameter' }],
    ['messages', { messages: [question] }, { code: 'unsupported_parameter' }],
    ['an unknown parameter', { effort: 'low' }, { param: 'effort', code: 'unknown_parameter' }],
    [
      'a tool in the form of Chat Completions',
      { tools: [chatTool as unknown as typeof responsesTool] },
      { param: 'tools[0].name', code: 'missing_required_parameter' },
    ],
    [
      'an effort that it does not take',
      { reasoning: { effort: 'xhigh' } },
      { param: 'reasoning.effort', code: 'unsupported_value' },
    ],
    [
      'an effort of a model that does not reason',
      { model: demoModelName, include: [], reasoning: { effort: 'low' } },
      { param: 'reasoning.effort', code: 'unsupported_parameter' },
    ],
    [
      'encrypted reasoning of a model that does not reason',
      { model: demoModelName },
      { message: '400 Encrypted content is not supported with this model.' },
    ],
    [
      'an image for a model that sees none',
      {
        model: textOnlyModelName,
        include: [],
        input: [{ role: 'user', content: [{ type: 'input_image', detail: 'auto', image_url: image }] }],
      },
      { message: '400 This model does not support image input.' },
    ],
    [
      'parts of another API',
      { input: [{ role: 'user', content: [{ type: 'text', text: 'hi' } as never] }] },
      { param: 'input[0].content[0]', code: 'invalid_value' },
    ],
    [
      'an unknown property of an item',
      { input: [{ ...question, tool_calls: [] } as never] },
      { param: 'input[0].tool_calls', code: 'unknown_parameter' },
    ],
    ['a model that is retired', { model: retiredModelName }, { status: 404, code: 'model_not_found' }],
  ])('rejects %s', async (_, body, expected) => {
    expect(await readRejection(respond(body))).toMatchObject(expected)
  })

  const call = { type: 'function_call' as const, call_id: 'c1', name: 'get_weather', arguments: '{}' }
  const output = { type: 'function_call_output' as const, call_id: 'c1', output: '4 degrees' }

  it.each<[string, ResponseInputItem[], string]>([
    ['a call without its output', [question, call], 'No tool output found for function call c1.'],
    [
      'an output without its call',
      [question, output],
      'No tool call found for function call output with call_id c1.',
    ],
    [
      'an output before its call',
      [question, output, call],
      'No tool call found for function call output with call_id c1.',
    ],
    [
      'reasoning that it would have to look up',
      [question, { type: 'reasoning', id: 'rs_1', summary: [] }, call, output],
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    ],
    [
      'reasoning that it did not write',
      [
        question,
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABx.y' },
        call,
        output,
      ],
      'The encrypted content gAAAAAB... could not be verified.',
    ],
  ])('rejects %s', async (_, input, message) => {
    const error = await readRejection(respond({ input }))
    expect(error.message).toContain(message)
  })

  /** One round of the reasoning model: its reasoning and its call. */
  async function firstRound(model = reasoningModelName) {
    const { output: items } = await respond({ model, tools: [responsesTool], reasoning: { summary: 'auto' } })
    const [reasoning, functionCall] = items
    if (reasoning?.type !== 'reasoning' || functionCall?.type !== 'function_call') throw new Error('no call')
    const { status: _, ...sentReasoning } = reasoning
    return {
      reasoning: sentReasoning,
      functionCall,
      callOutput: { ...output, call_id: functionCall.call_id },
    }
  }

  it('accepts its own reasoning, and only in the right order', async () => {
    const { reasoning, functionCall, callOutput } = await firstRound()
    expect(reasoning).toMatchObject({ summary: [{ text: expect.stringContaining('Oslo') as string }] })
    const { output_text: text, usage } = await respond({
      input: [question, reasoning, functionCall, callOutput],
    })
    expect(text).toContain('4 degrees')
    expect(usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0)

    const invalidInputs: [ResponseInputItem[], string][] = [
      [
        [question, functionCall, callOutput],
        `was provided without its required 'reasoning' item: '${reasoning.id}'`,
      ],
      [[question, functionCall, callOutput, reasoning], 'was provided without its required following item'],
      [[question, reasoning, question], 'was provided without its required following item'],
      [
        [{ ...reasoning, status: 'completed' }, functionCall, callOutput],
        "Unknown parameter: 'input[0].status'",
      ],
      [[{ ...reasoning, id: 'rs_other' }, functionCall, callOutput], 'could not be verified'],
    ]
    for (const [input, message] of invalidInputs)
      expect((await readRejection(respond({ input }))).message).toContain(message)
  })

  it('a call without its item id needs no reasoning', async () => {
    const { functionCall, callOutput } = await firstRound()
    const { id: _, ...callWithoutId } = functionCall
    const { output_text: text } = await respond({ input: [question, callWithoutId, callOutput] })
    expect(text).toContain('4 degrees')
  })

  it('streams reasoning, calls and text in the API’s numbered events', async () => {
    const types: string[] = []
    const stream = await openai.responses.create({
      model: reasoningModelName,
      input: [question],
      store: false,
      stream: true,
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [responsesTool],
    })
    let next = 0
    for await (const event of stream) {
      expect(event.sequence_number).toBe(next)
      next += 1
      if (types.at(-1) !== event.type) types.push(event.type)
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('a response at the token limit is incomplete', async () => {
    const answer = await respond({
      input: '/echo one two three',
      max_output_tokens: 2,
      reasoning: { effort: 'none' },
    })
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(answer.output_text).toBe('one two')
  })
})
