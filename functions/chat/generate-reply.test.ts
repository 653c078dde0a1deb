import { sayTool } from '#shared/sentences/tools.ts'
import { toReplyParts } from '../conversations/turns/stored-reply.ts'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { replyNotices } from '#shared/chat-texts.ts'
import { buildGenerateInput, listEvents } from '../../test/support/reply-input.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { isCallEnded } from '#shared/reply/reply-state.ts'
import { maxWebSearches } from '../platform/limits.ts'
import { UserBudgetUsedUp } from './errors.ts'
import { generateReply } from './generate-reply.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import type { ModelUsage } from '../platform/dynamodb/usage-counters.ts'
import type { Model, ModelCall, ModelRound } from '../models/model.ts'
import { estimatePromptTokens } from '../models/token-estimate.ts'
import { ToolError } from '../platform/tool-error.ts'
import { zodParameters, type Tool } from '../tools/calls/tool.ts'
import { beginReply } from './progress.ts'
import type { ActiveReply } from './reply.ts'

type ScriptedRound = Partial<
  Pick<ModelRound, 'text' | 'toolCalls' | 'truncated' | 'incompleteReason' | 'webSearches'>
>

/** A model that replies with these rounds in turn, and records its requests. */
function scriptedModel(...rounds: ScriptedRound[]) {
  const modelRequests: { toolCount: number; mayCall: boolean | undefined; roles: string[] }[] = []
  const model: Model = {
    async complete({ messages, tools, mayCall, onText, signal }): Promise<ModelRound> {
      modelRequests.push({ toolCount: tools.length, mayCall, roles: messages.map(({ role }) => role) })
      const { text = '', toolCalls = [], truncated = false, ...more } = rounds[modelRequests.length - 1] ?? {}
      for (const piece of text.match(/[\s\S]{1,4000}/g) ?? []) {
        onText(piece)
        signal.throwIfAborted()
      }
      return { text, toolCalls, truncated, inputTokens: 1, outputTokens: 2, ...more }
    },
  }
  return { model, modelRequests }
}

const call = (id: string, name = 'add', args = '{"a":1,"b":2}') => ({ id, name, arguments: args })

const add: Tool = {
  name: 'add',
  description: 'Adds two numbers',
  parameters: zodParameters(z.object({ a: z.number(), b: z.number() })),
  writes: false,
  activity: 'other',
  timeoutMs: 30_000,
  run: async ({ a, b }) => Number(a) + Number(b),
}
const send: Tool = { ...add, name: 'send', writes: true, run: async () => 'sent' }

function buildInput(model: Model, changes: Partial<ActiveReply> = {}): ActiveReply {
  return buildGenerateInput(model, { tools: [add, send], ...changes })
}

const readEvents = (log: ReplyLog) =>
  log
    .readAfter(0)
    .map((part) => ('event' in part ? part.event : ({ type: 'text', text: part.text } as const)))
const listTypes = (log: ReplyLog) =>
  readEvents(log).map(({ type }: { type: ChatEvent['type'] | 'text' }) => type)

describe('text', () => {
  it('CHAT-44 CHAT-45 a reply is one text part', async () => {
    const input = buildInput(scriptedModel({ text: 'Hello' }).model)
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(listTypes(input.events)).toEqual([
      'start-step',
      'text-start',
      'text',
      'text-end',
      'message-metadata',
      'finish-step',
    ])
    expect(input.events.reply.text).toBe('Hello')
    expect(input.progress).toMatchObject({ inputTokens: 1, outputTokens: 2 })
  })

  it.each([undefined, 'length', 'filter'] as const)(
    'a reply that the model cuts is incomplete, for the reason that is known: %s',
    async (reason) => {
      const round = { text: 'He', truncated: true, ...(reason && { incompleteReason: reason }) }
      expect(await generateReply(buildInput(scriptedModel(round).model))).toEqual({
        status: 'incomplete',
        reason,
      })
    },
  )

  it('a reply without text is an error', async () => {
    await expect(generateReply(buildInput(scriptedModel({ text: ' \n' }).model))).rejects.toMatchObject({
      code: 'model_empty',
    })
  })

  // QwenLM/qwen-code#7034, nugget/thane-ai-agent#167
  it.each([undefined, 'length'] as const)(
    'a reply that says nothing after the results of its calls is incomplete',
    async (incompleteReason) => {
      const last = { text: ' \n', ...(incompleteReason && { incompleteReason }) }
      const input = buildInput(scriptedModel({ text: 'I look.', toolCalls: [call('a')] }, last).model)
      expect(await generateReply(input)).toEqual({ status: 'incomplete', reason: incompleteReason })
      expect(input.events.reply.text.trim()).toBe('I look.')
    },
  )

  it('a reply that has nothing to add when it is continued is done', async () => {
    const model = scriptedModel({ text: '' }).model
    const events = new ReplyLog()
    const { progress } = beginReply(events, { content: 'It is late.' })
    expect(await generateReply(buildInput(model, { events, progress, continues: true }))).toEqual({
      status: 'done',
    })
  })

  it('a reply that is too large for a row ends as incomplete', async () => {
    const input = buildInput({
      async complete({ onText, signal }) {
        onText(`x${'👋'.repeat(maxReplyCharacters)}`)
        signal.throwIfAborted()
        throw new Error('went on')
      },
    })
    expect(await generateReply(input)).toEqual({ status: 'incomplete', reason: 'length' })
    // a surrogate pair is not cut in two
    expect(input.events.reply.text).toHaveLength(maxReplyCharacters - 1)
    expect(input.events.reply.text.isWellFormed()).toBe(true)
  })
})

describe('searches of the web', () => {
  const price = { input: 0, output: 0 }
  const spend = vi.fn<ActiveReply['spending']['spend']>()
  const build = (model: Model) => {
    spend.mockClear()
    return buildInput(model, { price, spending: { reserve: async () => undefined, spend } })
  }
  const readSpent = () => spend.mock.calls.map(([{ webSearches, cost }]) => ({ webSearches, cost }))

  it('are limited for a reply, and counted with their price', async () => {
    const limits: unknown[] = []
    const model: Model = {
      async complete({ maxWebSearches: limit, onWebSearch, onText }) {
        limits.push(limit)
        for (let count = 0; count < 3; count += 1) onWebSearch?.()
        onText('x')
        const toolCalls = limits.length < 2 ? [call('1')] : []
        return { text: 'x', toolCalls, truncated: false, inputTokens: 1, outputTokens: 1, webSearches: 2 }
      },
    }
    expect(await generateReply(build(model))).toEqual({ status: 'done' })
    expect(limits).toEqual([maxWebSearches, maxWebSearches - 3])
    expect(readSpent()).toEqual([1, 2].map(() => ({ webSearches: 2, cost: 0.02 })))
  })

  it('that the server names at the end of its answer are shown, too, and those left over are allowed', async () => {
    const limits: unknown[] = []
    const model: Model = {
      async complete({ maxWebSearches: limit, onWebSearch, onText }) {
        limits.push(limit)
        onWebSearch?.()
        onText('x')
        const toolCalls = limits.length < 2 ? [call('1')] : []
        return { text: 'x', toolCalls, truncated: false, inputTokens: 1, outputTokens: 1, webSearches: 15 }
      },
    }
    const input = build(model)
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(limits).toEqual([maxWebSearches, maxWebSearches - 15])
    expect(input.events.reply.usage).toMatchObject({ webSearches: 30 })
    expect(readSpent()).toMatchObject([{ webSearches: 15 }, { webSearches: 15 }])
  })

  it.each([
    [true, [maxWebSearches, maxWebSearches - 4]],
    [false, [0, 0]],
  ])('are reserved for a server that may search: %s', async (mayBillSearches, expected) => {
    const { model } = scriptedModel(
      { text: 'x', toolCalls: [call('1')], webSearches: 4 },
      { text: 'x', webSearches: 1 },
    )
    const reserve = vi.fn<ActiveReply['spending']['reserve']>(async () => undefined)
    await generateReply(buildInput(model, { price, mayBillSearches, spending: { reserve, spend } }))
    expect(reserve.mock.calls.map(([, , searches]) => searches)).toEqual(expected)
  })

  it('end a reply whose server does not keep the limit, and are counted', async () => {
    const model: Model = {
      async complete({ onWebSearch, signal }) {
        for (;;) {
          signal.throwIfAborted()
          onWebSearch?.()
        }
      },
    }
    expect(await generateReply(build(model))).toEqual({ status: 'incomplete' })
    expect(readSpent()).toMatchObject([{ webSearches: maxWebSearches + 1 }])
  })
})

describe('tools', () => {
  it('CAP-13 runs the calls of a round and asks again with their results', async () => {
    const { model, modelRequests } = scriptedModel(
      { text: 'Let me see.', toolCalls: [call('1'), call('2')] },
      { text: 'It is 3.' },
    )
    const input = buildInput(model)
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(input.events.reply.text).toBe('Let me see.\n\nIt is 3.')
    expect(toReplyParts(input.events.reply).toolCalls).toHaveLength(2)
    expect(toReplyParts(input.events.reply).toolCalls[0]).toEqual({
      tool: 'add',
      action: 'add',
      parameters: { a: 1, b: 2 },
      result: { success: true, data: 3 },
    })
    expect(modelRequests[1]?.roles).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(listTypes(input.events)).toEqual([
      'start-step',
      'text-start',
      'text',
      'text-end',
      'tool-input-available',
      'tool-input-available',
      'tool-output-available',
      'tool-output-available',
      'message-metadata',
      'finish-step',
      'start-step',
      'text-start',
      'text',
      'text-end',
      'message-metadata',
      'finish-step',
    ])
  })

  it.each([
    ['a tool that was not offered', call('1', 'erase'), 'no tool named erase'],
    ['arguments that are no JSON', call('1', 'add', '{"a":'), 'not a JSON object'],
    ['arguments that do not fit', call('1', 'add', '{"a":"x","b":2}'), 'do not fit'],
  ])('gives %s back to the model as an error', async (_, wrongCall, message) => {
    const input = buildInput(scriptedModel({ toolCalls: [wrongCall] }, { text: 'Sorry.' }).model)
    await generateReply(input)
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toMatchObject({
      success: false,
      error: expect.stringContaining(message) as string,
    })
    expect(listTypes(input.events)).toContain('tool-output-error')
  })

  it('a tool that takes too long or fails does not end the reply', async () => {
    const slowTool: Tool = {
      ...add,
      name: 'slow',
      timeoutMs: 5,
      run: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))),
    }
    const brokenTool: Tool = {
      ...add,
      name: 'broken',
      run: async () => Promise.reject(new ToolError(sayTool('call_stopped.unanswered'))),
    }
    const { model } = scriptedModel(
      { toolCalls: [call('1', 'slow'), call('2', 'broken')] },
      { text: 'Well.' },
    )
    const input = buildInput(model, { tools: [slowTool, brokenTool] })
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(toReplyParts(input.events.reply).toolCalls.map(({ result }) => result.error)).toEqual([
      'No answer within 0.005 seconds.',
      'Stopped before it answered.',
    ])
  })

  it('after 8 rounds the model has to answer without its tools, which it is shown still', async () => {
    const { model, modelRequests } = scriptedModel(
      ...Array.from({ length: 8 }, (_, index) => ({ toolCalls: [call(String(index))] })),
      { text: 'Enough.' },
    )
    expect(await generateReply(buildInput(model))).toEqual({ status: 'done' })
    expect(modelRequests.map(({ toolCount }) => toolCount)).toEqual(Array(9).fill(3))
    expect(modelRequests.map(({ mayCall }) => mayCall)).toEqual([...Array<boolean>(8).fill(true), false])
  })

  it('asks before a call that changes something, and continues after the approval', async () => {
    const { model, modelRequests } = scriptedModel(
      { toolCalls: [call('1'), call('2', 'send')] },
      { text: 'Done.' },
    )
    const input = buildInput(model)
    const outcome = await generateReply(input)
    expect(outcome).toMatchObject({ status: 'waiting', pending: [{ callId: '2', tool: 'send' }] })
    expect(listTypes(input.events).slice(-3)).toEqual([
      'tool-approval-request',
      'message-metadata',
      'finish-step',
    ])
    expect(toReplyParts(input.events.reply).toolCalls).toHaveLength(1)
    const decidedCalls =
      outcome.status === 'waiting'
        ? outcome.pending.map((one) => ({ ...one, decision: 'approved' as const, decidedAtMs: Date.now() }))
        : []
    expect(await generateReply({ ...input, decidedCalls })).toEqual({ status: 'done' })
    expect(toReplyParts(input.events.reply).toolCalls[1]).toMatchObject({
      tool: 'send',
      result: { success: true, data: 'sent' },
    })
    expect(modelRequests[1]?.roles).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  it('a denied call does not run, and the model is told', async () => {
    const { model } = scriptedModel({ text: 'I left it.' })
    const input = buildInput(model)
    input.progress.roundMessages.push({ role: 'assistant', content: null })
    const sent = { type: 'tool-input-available', toolCallId: '2', toolName: 'send' } as const
    input.events.push({ ...sent, input: { a: 1, b: 2 } })
    const decidedCalls = [
      {
        callId: '2',
        kind: 'approval' as const,
        tool: 'send',
        title: 'Send',
        fingerprint: '',
        arguments: '{"a":1,"b":2}',
        askedAtMs: 0,
        decision: 'denied' as const,
      },
    ]
    await generateReply({ ...input, decidedCalls })
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toMatchObject({
      success: false,
      error: 'The user denied this call.',
    })
    expect(listTypes(input.events)[1]).toBe('tool-output-denied')
  })
})

describe('spending', () => {
  const refusal = new UserBudgetUsedUp({ period: 'day', unit: 'tokens', amount: 1_000 }, 60)
  /** Refuses after this number of requests, and records what was reserved and spent. */
  function recordSpending(maxRequests = Number.POSITIVE_INFINITY) {
    const reservedTokens: number[] = []
    const spentTokens: number[] = []
    const spending = {
      reserve: async (tokens: number) => {
        if (reservedTokens.length >= maxRequests) throw refusal
        reservedTokens.push(tokens)
      },
      spend: ({ inputTokens, outputTokens }: ModelUsage) => void spentTokens.push(inputTokens + outputTokens),
    }
    return { spending, reservedTokens, spentTokens }
  }
  /** A model that starts to reply, and then fails. */
  const failingModel = (error: Error, text = ''): Model => ({
    complete: async ({ onText }) => {
      if (text !== '') onText(text)
      throw error
    },
  })
  const longMessages: ActiveReply['messages'] = [{ role: 'user', content: 'x'.repeat(66_000) }]

  it('each request to the model is reserved first, and spends what the server counts', async () => {
    const { spending, reservedTokens, spentTokens } = recordSpending()
    const { model } = scriptedModel({ toolCalls: [call('1')] }, { text: 'three' })
    await generateReply(buildInput(model, { spending }))
    expect(reservedTokens).toHaveLength(2)
    expect(reservedTokens[1]).toBeGreaterThan(reservedTokens[0] ?? 0)
    expect(spentTokens).toEqual([3, 3])
  })

  it.each([
    ['stopped', new Error('the user stopped it'), 'One'],
    ['cut', new ModelError(modelErrors.cut, 'cut'), 'One'],
    ['silent', new ModelError(modelErrors.silent, 'silent'), ''],
    ['broken', new ModelError(modelErrors.broken, 'the model answered 500'), ''],
  ])('the tokens of a long prompt count although its answer is %s (H6)', async (_, error, text) => {
    const { spending, reservedTokens, spentTokens } = recordSpending()
    await expect(
      generateReply(buildInput(failingModel(error, text), { messages: longMessages, spending })),
    ).rejects.toBe(error)
    expect(reservedTokens[0]).toBeGreaterThanOrEqual(22_000)
    expect(spentTokens).toHaveLength(1)
    expect(spentTokens[0]).toBeGreaterThanOrEqual(22_000)
  })

  it.each([
    ['turned away', new ModelError(modelErrors.busy, 'the model answered 429')],
    [
      'never sent',
      new ModelError(modelErrors.unreachable, 'no connection', {
        cause: new Error('failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
      }),
    ],
  ])('a request that was %s spends nothing', async (_, error) => {
    const { spending, spentTokens } = recordSpending()
    await expect(generateReply(buildInput(failingModel(error), { spending }))).rejects.toBe(error)
    expect(spentTokens).toEqual([])
  })

  it('without a count from the server the estimated tokens are spent', async () => {
    const { spending, spentTokens } = recordSpending()
    const model: Model = {
      async complete({ onText }) {
        const text = 'y'.repeat(300)
        onText(text)
        return { text, toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 }
      },
    }
    await generateReply(buildInput(model, { messages: longMessages, spending }))
    expect(spentTokens[0]).toBeGreaterThanOrEqual(22_100)
  })

  it('a first request beyond the budget is refused before the model is asked', async () => {
    const { model, modelRequests } = scriptedModel({ text: 'Hello' })
    await expect(generateReply(buildInput(model, recordSpending(0)))).rejects.toBe(refusal)
    expect(modelRequests).toEqual([])
  })

  it('a later request beyond the budget ends the reply, which keeps its text and says why it ended', async () => {
    const { model, modelRequests } = scriptedModel(
      { text: 'Adding.', toolCalls: [call('1')] },
      { text: 'never' },
    )
    const input = buildInput(model, recordSpending(1))
    expect(await generateReply(input)).toEqual({ status: 'incomplete', reason: 'budget' })
    expect(modelRequests).toHaveLength(1)
    expect(input.events.reply.text).toBe(`Adding.\n\n${refusal.userMessage}`)
    expect(listTypes(input.events).slice(-5)).toEqual([
      'start-step',
      'text-start',
      'text',
      'text-end',
      'finish-step',
    ])
  })
})

it('runs 16 of 80 calls in one step, and tells the model about the others (H6)', async () => {
  let runCount = 0
  const draw: Tool = { ...add, name: 'draw', run: async () => (runCount += 1) }
  const recordedIds: string[] = []
  const requestedCalls = Array.from({ length: 80 }, (_, index) =>
    call(`c${index}`, 'draw', `{"a":${index},"b":0}`),
  )
  const { model } = scriptedModel({ toolCalls: requestedCalls }, { text: 'Some.' })
  const input = buildInput(model, {
    tools: [draw],
    ledger: { record: ({ call: { id } }) => recordedIds.push(id) },
  })
  expect(await generateReply(input)).toEqual({ status: 'done' })
  expect(runCount).toBe(16)
  expect(recordedIds).toHaveLength(16)
  const toolMessages = input.progress.roundMessages.filter(({ role }) => role === 'tool')
  expect(toolMessages).toHaveLength(80)
  expect(toolMessages[16]).toMatchObject({
    tool_call_id: 'c16',
    content: expect.stringContaining('Too many calls in one step.') as string,
  })
  const errorEvents = readEvents(input.events).filter(({ type }) => type === 'tool-output-error')
  expect(errorEvents).toHaveLength(64)
})

it('asks for approval of 16 of 20 calls', async () => {
  const requestedCalls = Array.from({ length: 20 }, (_, index) =>
    call(`c${index}`, 'send', `{"a":${index},"b":0}`),
  )
  const outcome = await generateReply(buildInput(scriptedModel({ toolCalls: requestedCalls }).model))
  expect(outcome).toMatchObject({ status: 'waiting', pending: { length: 16 } })
})

/** A model that makes these rounds of what it is called with. */
function writingModel(
  ...rounds: ((call: Required<ModelCall>) => Partial<ModelRound> | Promise<Partial<ModelRound>>)[]
) {
  const modelCalls: ModelCall[] = []
  const model: Model = {
    async complete(modelCall) {
      modelCalls.push({ ...modelCall, messages: [...modelCall.messages] })
      const round = await rounds[modelCalls.length - 1]?.(modelCall as Required<ModelCall>)
      return { text: '', toolCalls: [], truncated: false, inputTokens: 10, outputTokens: 5, ...round }
    },
  }
  return { model, modelCalls }
}
const readUsage = (log: ReplyLog) =>
  listEvents(log).flatMap((event) => (event.type === 'message-metadata' ? [event.messageMetadata.usage] : []))

describe('what a reply has used', () => {
  const price = { input: 1_000_000, output: 2_000_000 }
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, images: 0 }

  it('is told after each request: its sums, its model, its cost and where its prompt began', async () => {
    const spend = vi.fn<ActiveReply['spending']['spend']>()
    const reserve = vi.fn<ActiveReply['spending']['reserve']>(async () => undefined)
    const { model } = writingModel(
      () => ({ toolCalls: [call('1')] }),
      ({ onText }) => {
        onText('3')
        return { text: '3', inputTokens: 20, outputTokens: 1, reasoningTokens: 1 }
      },
    )
    const sent = { contextStart: 'm7' }
    // the result of a tool is read while the reply is written
    const hasReadOthers = () => input.events.reply.toolCalls.some(isCallEnded)
    const input = buildInput(model, { spending: { spend, reserve }, price, sent, hasReadOthers })
    await generateReply(input)
    const common = { ...none, model: 'test-model', ...sent }
    expect(readUsage(input.events)).toEqual([
      { ...common, inputTokens: 10, outputTokens: 5, cost: 20, contextUsed: 15 },
      {
        ...common,
        inputTokens: 30,
        outputTokens: 6,
        reasoningTokens: 1,
        cost: 42,
        contextUsed: 21,
        readOthers: true,
      },
    ])
    expect(spend.mock.calls.map(([usage]) => usage.cost)).toEqual([20, 22])
    expect(reserve.mock.calls.map(([, one]) => one)).toEqual([price, price])
    expect(input.progress).toMatchObject({ inputTokens: 30, outputTokens: 6 })
  })

  it('is estimated without counts of the server, from what was sent and written', async () => {
    const uncounted = { inputTokens: 0, outputTokens: 0 }
    const { model, modelCalls } = writingModel(
      () => ({ ...uncounted, toolCalls: [call('1', 'add', '{"a":1,"b":2222}')] }),
      ({ onText }) => {
        onText('123456')
        return { ...uncounted, text: '123456' }
      },
    )
    const input = buildInput(model)
    await generateReply(input)
    const [first = 0, second = 0] = modelCalls.map(({ messages, tools }) =>
      estimatePromptTokens(messages, tools),
    )
    expect(readUsage(input.events)).toMatchObject([
      // three letters to a token: add{"a":1,"b":2222}
      { inputTokens: first, outputTokens: 7, contextUsed: first + 7, estimated: true },
      { inputTokens: first + second, outputTokens: 9, contextUsed: second + 2, estimated: true },
    ])
    expect(readUsage(input.events)[0]).not.toHaveProperty('cost')
    expect(input.progress).toMatchObject(uncounted)
  })

  it.each([
    // five letters, three to a token
    ['Hello', { inputTokens: 1, outputTokens: 0 }, { outputTokens: 2, estimated: true }],
    ['Hello', { inputTokens: 1, outputTokens: 1 }, {}],
  ])('is what the server counts, but for a text without tokens: %s, %j', async (text, counted, estimate) => {
    const { model } = writingModel(({ onText }) => {
      onText(text)
      return { text, ...counted }
    })
    const input = buildInput(model)
    await generateReply(input)
    const usage = { ...none, ...counted, ...estimate }
    const contextUsed = usage.inputTokens + usage.outputTokens
    expect(readUsage(input.events)).toEqual([{ ...usage, model: 'test-model', contextUsed }])
  })

  it('counts what the broken request alone has written, its reasoning included', async () => {
    const fault = new Error('cut')
    const { model } = writingModel(
      ({ onText, onReasoning }) => {
        onReasoning('Where to look', 'a')
        onText('I look.')
        return { text: 'I look.', toolCalls: [call('1')] }
      },
      ({ onText, onReasoning }) => {
        onReasoning('1234567', 'b')
        onText('abcdef')
        throw fault
      },
    )
    const input = buildInput(model)
    await expect(generateReply(input)).rejects.toBe(fault)
    // with the paragraphs' gaps: 2 + 7 and 2 + 6 letters
    expect(readUsage(input.events).at(-1)).toMatchObject({ outputTokens: 5 + 6, estimated: true })
    expect(listTypes(input.events).slice(-2)).toEqual(['text-end', 'message-metadata'])
  })

  it('does not change if the request was refused before it was sent', async () => {
    const spend = vi.fn<ActiveReply['spending']['spend']>()
    const fault = new Error('the table is down')
    const input = buildInput(writingModel().model, {
      spending: { spend, reserve: () => Promise.reject(fault) },
    })
    await expect(generateReply(input)).rejects.toBe(fault)
    expect(spend).not.toHaveBeenCalled()
    expect(readUsage(input.events)).toEqual([])
  })
})

describe('a request to the model', () => {
  it('has the chosen effort, and tells readers what its server did not accept', async () => {
    const answer = ({ onText, onOmit }: Required<ModelCall>) => {
      onText('Hello')
      onOmit('images')
      return { text: 'Hello' }
    }
    const chosen = writingModel(answer)
    const input = buildInput(chosen.model, { effort: 'high' })
    await generateReply(input)
    expect(chosen.modelCalls).toMatchObject([{ effort: 'high' }])
    expect(input.events.reply.notices).toEqual([replyNotices.images])
    const other = writingModel(answer)
    await generateReply(buildInput(other.model))
    expect(other.modelCalls[0]).not.toHaveProperty('effort')
  })

  it('has what the model’s server wants back of the calls before it', async () => {
    const answer = { api: 'responses' as const, model: 'm', items: [{ id: 'rs_1' }] }
    const last = { ...answer, items: [{ id: 'rs_2' }] }
    const { model, modelCalls } = writingModel(
      () => ({ text: 'I add.', toolCalls: [call('1')], answer }),
      ({ onText }) => {
        onText('3')
        return { text: '3', answer: last }
      },
    )
    const input = buildInput(model)
    await generateReply(input)
    expect(modelCalls[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I add.',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
        answer,
      },
      { role: 'tool', tool_call_id: '1', content: '3' },
    ])
    expect(input.progress.roundMessages.at(-1)).toEqual({ role: 'assistant', content: '3', answer: last })
  })

  it('goes on with the open text of an incomplete reply, in its first round alone', async () => {
    const { model } = writingModel(
      ({ onText }) => {
        onText('a')
        return { text: 'a', toolCalls: [call('1')] }
      },
      ({ onText }) => {
        onText('b')
        return { text: 'b' }
      },
    )
    const input = buildInput(model, { continues: true })
    input.progress.roundMessages.push(
      { role: 'assistant', content: 'Half' },
      { role: 'user', content: 'Go on' },
    )
    await generateReply(input)
    expect(listTypes(input.events).filter((type) => /^(text|start)/.test(type))).toEqual([
      'text',
      'text-end',
      'start-step',
      'text-start',
      'text',
      'text-end',
    ])
  })

  it('is not made while a decided call waits once more', async () => {
    const { model, modelCalls } = writingModel()
    const decided = {
      callId: '2',
      kind: 'approval' as const,
      tool: 'send',
      title: 'Send',
      fingerprint: 'old',
      arguments: '{"a":1,"b":2}',
      askedAtMs: 0,
      decision: 'approved' as const,
    }
    expect(await generateReply(buildInput(model, { decidedCalls: [decided] }))).toMatchObject({
      status: 'waiting',
      pending: [{ callId: '2' }],
    })
    expect(modelCalls).toEqual([])
  })

  it('without tools ends the reply, whatever the model calls', async () => {
    const rounds = Array.from({ length: 8 }, (_, index) => () => ({ toolCalls: [call(String(index))] }))
    const { model } = writingModel(...rounds, ({ onText }) => {
      onText('Enough.')
      return { text: 'Enough.', toolCalls: [call('9')] }
    })
    const input = buildInput(model)
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(toReplyParts(input.events.reply).toolCalls).toHaveLength(8)
  })
})

describe('images that the model makes itself', () => {
  const data = Buffer.from('image').toString('base64')
  async function make(urls: string[], notes: string[] = []) {
    const showFiles = vi.fn<ActiveReply['showFiles']>(async () => ({
      notes: notes.map((message) => sayTool('tool_failed', { message })),
      images: [],
    }))
    const { model } = writingModel(({ onImage }) => {
      for (const url of urls) onImage(url)
      return {}
    })
    const input = buildInput(model, { showFiles })
    const outcome = await generateReply(input)
    return {
      outcome,
      files: showFiles.mock.calls,
      events: listEvents(input.events),
      reply: input.events.reply,
    }
  }

  it.each(['image/png', 'image/svg+xml', 'image/x-a.b-c'])(
    'are shown without a text: %s',
    async (declaredType) => {
      const { outcome, files, events } = await make([`data:${declaredType};base64,${data}`])
      expect(outcome).toEqual({ status: 'done' })
      expect(files).toEqual([[[{ name: 'image', declaredType, bytes: Buffer.from('image') }], undefined]])
      expect(events.map(({ type }) => type)).toEqual(['start-step', 'message-metadata', 'finish-step'])
    },
  )

  it('that cannot be shown are explained in the reply', async () => {
    const { reply } = await make([`data:image/png;base64,${data}`], ['One note.', 'Another one.'])
    expect(reply.text).toBe('\n\nOne note.\nAnother one.')
  })

  it.each([
    'https://a.example/x.png',
    `https://a.example/?data:image/png;base64,${data}`,
    `data:text/html;base64,${data}`,
    `data:image/${'x'.repeat(41)};base64,${data}`,
    'data:image/png;base64,',
    `data:image/;base64,${data}`,
  ])('are not fetched, only cited if they have an address: %.60s', async (url) => {
    const { files, reply } = await make([url])
    expect(files).toEqual([])
    expect(reply.sources).toEqual(url.startsWith('https:') ? [{ url }] : [])
  })
})
