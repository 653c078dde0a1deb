import { toReplyParts } from '../../conversations/turns/stored-reply.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  buildGenerateInput,
  buildTool,
  emptyProgress,
  listEvents,
} from '../../../test/support/reply-input.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { TooManyMemories } from '../../settings/errors.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { fingerprintTool, zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { generateReply } from '../generate-reply.ts'
import type { Model, ModelMessage, ModelToolCall } from '../../models/model.ts'
import type { ActiveReply } from '../reply.ts'

const call = (id: string, name: string, args: unknown = {}) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

/** A model that requests these calls round by round, and then replies. */
function modelThatCalls(...rounds: ModelToolCall[][]) {
  const modelRequests: { messages: ModelMessage[]; tools: string[] }[] = []
  const model: Model = {
    async complete({ messages, tools, onText }) {
      const toolCalls = rounds[modelRequests.length] ?? []
      modelRequests.push({ messages: [...messages], tools: tools.map(({ function: { name } }) => name) })
      if (toolCalls.length === 0) onText('Done.')
      const text = toolCalls.length === 0 ? 'Done.' : ''
      return { text, toolCalls, truncated: false, inputTokens: 1, outputTokens: 1 }
    },
  }
  return { model, modelRequests }
}

function buildInput(model: Model, tools: Tool[], changes: Partial<ActiveReply> = {}) {
  return buildGenerateInput(model, { tools, ...changes })
}

const saying = (message: string) => new ToolError(sayTool('tool_failed', { message }))

const listResults = (request: { messages: ModelMessage[] } | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))

describe('a call', () => {
  it('is shown with its title and integration before it runs, and with its result afterwards', async () => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find', { q: 'eggs' })])
    const find = buildTool({
      title: 'Find',
      integration: { mcpId: 'm', name: 'Mail' },
      run: async () => ({ hits: 2 }),
    })
    const input = buildInput(model, [find])
    await generateReply(input)
    expect(listEvents(input.events).slice(0, 3)).toEqual([
      { type: 'start-step' },
      {
        type: 'tool-input-available',
        toolCallId: '1',
        toolName: 'find',
        input: { q: 'eggs' },
        providerMetadata: { juno: { kind: 'research', title: 'Find', integration: 'Mail' } },
      },
      { type: 'tool-output-available', toolCallId: '1', output: { hits: 2 } },
    ])
    expect(toReplyParts(input.events.reply).toolCalls).toEqual([
      {
        tool: 'find',
        action: 'Find',
        integration: 'Mail',
        parameters: { q: 'eggs' },
        result: { success: true, data: { hits: 2 } },
      },
    ])
    expect(modelRequests[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'find', arguments: '{"q":"eggs"}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: '{"hits":2}' },
    ])
  })

  it('of an unknown tool is shown as a generic call, and not recorded in the ledger', async () => {
    const recordedNames: string[] = []
    const input = buildInput(modelThatCalls([call('1', 'erase')]).model, [buildTool()], {
      ledger: { record: ({ call: { name } }) => recordedNames.push(name) },
    })
    await generateReply(input)
    expect(listEvents(input.events)[1]).toMatchObject({
      toolName: 'erase',
      providerMetadata: { juno: { kind: 'other' } },
    })
    expect(listEvents(input.events)[1]).not.toHaveProperty('providerMetadata.juno.title')
    expect(listEvents(input.events)[2]).toMatchObject({
      type: 'tool-output-error',
      toolCallId: '1',
      errorText: 'There is no tool named erase.',
    })
    expect(recordedNames).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['nothing', '', 'found'],
    ['a list', '[]', 'Error: The arguments are not a JSON object.'],
    ['null', 'null', 'Error: The arguments are not a JSON object.'],
    ['a text', '"x"', 'Error: The arguments are not a JSON object.'],
    [
      'a field that would not be shown',
      '{"a":{"__proto__":{"to":"eve"}}}',
      'Error: The arguments are not a JSON object.',
    ],
    [
      'too deep a nesting',
      `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
      'Error: The arguments are not a JSON object.',
    ],
    ['as much as fits', { a: 'x'.repeat(149_992) }, 'found'],
    ['a byte too much', { a: 'x'.repeat(149_993) }, 'Error: The arguments have more than 150000 bytes.'],
  ])(
    'with %s as arguments gives the model its result, or an error that says why',
    async (_, args, expected) => {
      const { model, modelRequests } = modelThatCalls([call('1', 'find', args)])
      await generateReply(buildInput(model, [buildTool()]))
      expect(listResults(modelRequests[1])).toEqual([expected])
    },
  )

  it('with too long arguments is returned to the model without them', async () => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find', { a: 'x'.repeat(150_000) })])
    await generateReply(buildInput(model, [buildTool()]))
    expect(modelRequests[1]?.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] })
  })

  it.each<[string, unknown, string]>([
    ['a text', 'found', 'found'],
    ['nothing', undefined, 'null'],
    ['a number', 3, '3'],
  ])('whose result is %s gives the model its text', async (_, result, expected) => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find')])
    await generateReply(buildInput(model, [buildTool({ run: async () => result })]))
    expect(listResults(modelRequests[1])).toEqual([expected])
  })

  it.each<[string, unknown, string]>([
    ['an error', saying('no such file'), 'no such file'],
    ['an endless error', saying('x'.repeat(2_900)), 'x'.repeat(2_500)],
    ['an error of the product', new TypeError('x is undefined'), 'The call failed.'],
    ['something else', 'a text', 'The call failed.'],
    [
      'an error with a sentence for users',
      new TooManyMemories('100 of 100'),
      new TooManyMemories('').userMessage,
    ],
  ])('that throws %s tells the model', async (_, error, expected) => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find')])
    const input = buildInput(model, [buildTool({ run: () => Promise.reject(error as Error) })])
    await generateReply(input)
    expect(listResults(modelRequests[1])).toEqual([`Error: ${expected}`])
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toMatchObject({
      success: false,
      error: expected,
    })
  })

  it('can store another result than the model gets', async () => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find')])
    const input = buildInput(model, [
      buildTool({ run: async () => ({ text: 'long', at: 3 }), toStoredResult: () => ({ at: 3 }) }),
    ])
    await generateReply(input)
    expect(listResults(modelRequests[1])).toEqual(['{"text":"long","at":3}'])
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toEqual({ success: true, data: { at: 3 } })
  })

  it('is not made a fourth time, whatever calls came between', async () => {
    let callCount = 0
    const repeatCall = (id: string) => [call(id, 'find', { q: 1 })]
    const { model, modelRequests } = modelThatCalls(
      repeatCall('1'),
      [call('x', 'find', { q: 2 })],
      repeatCall('2'),
      repeatCall('3'),
      repeatCall('4'),
    )
    const input = buildInput(model, [buildTool({ run: async () => (callCount += 1) })])
    await generateReply(input)
    expect(callCount).toBe(4)
    expect(listResults(modelRequests.at(-1)).at(-1)).toBe(
      'Error: You have made this very call 3 times. Answer with what you have.',
    )
  })

  it('is recorded as soon as it ends, even if the reply is stopped while another call still runs', async () => {
    const abort = new AbortController()
    const recordedCalls: unknown[] = []
    const sendMail = buildTool({ name: 'send_mail', writes: true, run: async () => 'sent' })
    const slowTool = buildTool({
      name: 'slow_read',
      run: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    })
    const input = buildInput(
      modelThatCalls([call('1', 'slow_read'), call('2', 'send_mail')]).model,
      [slowTool, sendMail],
      {
        signal: abort.signal,
        isAllowed: () => true,
        ledger: {
          record({ call: { name } }, outcome, allowed) {
            recordedCalls.push([name, outcome.success, allowed, listEvents(input.events).at(-1)?.type])
            abort.abort(new Error('the user stopped it'))
          },
        },
      },
    )
    await expect(generateReply(input)).rejects.toThrow('the user stopped it')
    expect(recordedCalls).toEqual([
      ['send_mail', true, 'always', 'tool-output-available'],
      ['slow_read', false, 'reading', 'tool-output-error'],
    ])
    expect(
      toReplyParts(input.events.reply).toolCalls.map(({ tool: name, result }) => [name, result]),
    ).toMatchObject([
      ['slow_read', { success: false, error: 'Stopped before it answered.' }],
      ['send_mail', { success: true, data: 'sent' }],
    ])
    expect(listResults({ messages: input.progress.roundMessages })).toEqual([
      'Error: Stopped before it answered.',
      'sent',
    ])
  })

  it('that writes and was interrupted by a stop is recorded as possibly done', async () => {
    const abort = new AbortController()
    const interruptedTool = buildTool({
      writes: true,
      run: async (_, signal) => {
        abort.abort(new Error('the user stopped it'))
        signal.throwIfAborted()
      },
    })
    const input = buildInput(modelThatCalls([call('1', 'find')]).model, [interruptedTool], {
      signal: abort.signal,
      isAllowed: () => true,
    })
    await expect(generateReply(input)).rejects.toThrow('the user stopped it')
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toMatchObject({
      success: false,
      error: 'Stopped before it answered. It may have been done.',
    })
  })

  it('ends the reply with the reason of an abort that comes while it runs', async () => {
    const abort = new AbortController()
    const stoppingTool = buildTool({
      run: async () => {
        abort.abort(new Error('the user stopped it'))
        return 'late'
      },
    })
    const input = buildInput(modelThatCalls([call('1', 'find')]).model, [stoppingTool], {
      signal: abort.signal,
    })
    await expect(generateReply(input)).rejects.toThrow('the user stopped it')
  })

  it('gets the abort signal of its reply', async () => {
    const abort = new AbortController()
    let receivedSignal: AbortSignal | undefined
    const watchingTool = buildTool({ run: async (_, signal) => (receivedSignal = signal) && 'ok' })
    await generateReply(
      buildInput(modelThatCalls([call('1', 'find')]).model, [watchingTool], { signal: abort.signal }),
    )
    expect(receivedSignal?.aborted).toBe(false)
    abort.abort()
    expect(receivedSignal?.aborted).toBe(true)
  })
})

describe('the stored result of a call', () => {
  it('is cut to fit into a row, and more as the reply has more calls', async () => {
    const longTool = buildTool({ run: async () => 'y'.repeat(60_000) })
    const rounds = Array.from({ length: 7 }, (_, index) => [call(String(index), 'find', { a: index })])
    const input = buildInput(modelThatCalls(...rounds).model, [longTool])
    await generateReply(input)
    const lengths = toReplyParts(input.events.reply).toolCalls.map(({ result }) => String(result.data).length)
    expect(lengths[0]).toBeGreaterThan(14_900)
    expect(lengths[0]).toBeLessThan(15_100)
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
    expect(Buffer.byteLength(JSON.stringify(toReplyParts(input.events.reply).toolCalls))).toBeLessThan(90_000)
    expect(String(toReplyParts(input.events.reply).toolCalls[0]?.result.data)).toContain(
      '[60000 characters in all]',
    )
  })
})

describe('a long result', () => {
  const text = `${'a'.repeat(19_600)}${'b'.repeat(19_600)}c`
  const longTool = buildTool({ run: async () => text })

  it('is cut, and the model can read the rest in parts', async () => {
    const read = (id: string, from: number, of = '1') => call(id, 'read_result', { call: of, from })
    const { model, modelRequests } = modelThatCalls(
      [call('1', 'find')],
      [read('2', 19_600), read('3', 39_200), read('4', 39_201), read('5', 0, 'other')],
    )
    const input = buildInput(model, [longTool])
    await generateReply(input)
    expect(modelRequests.map(({ tools }) => tools)).toEqual([
      ['read_result', 'find'],
      ['read_result', 'find'],
      ['read_result', 'find'],
    ])
    expect(listResults(modelRequests[1])).toEqual([
      `${'a'.repeat(19_600)}\n[Cut: characters 0 to 19600 of 39201. read_result with call "1" and from 19600 gives more.]`,
    ])
    expect(listResults(modelRequests[2]).slice(1)).toEqual([
      `${'b'.repeat(19_600)}\n[Cut: characters 19600 to 39200 of 39201. read_result with call "1" and from 39200 gives more.]`,
      'c',
      'Error: The result ends at character 39201.',
      'Error: This result is not there any more. Make the call again.',
    ])
    expect(toReplyParts(input.events.reply).toolCalls[1]).toMatchObject({
      action: 'Read on in a result',
      result: { success: true, data: { read: true } },
    })
  })

  it('of exactly the maximum length is not cut', async () => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find')])
    await generateReply(buildInput(model, [buildTool({ run: async () => 'a'.repeat(20_000) })]))
    expect(listResults(modelRequests[1])).toEqual(['a'.repeat(20_000)])
  })
})

describe('a call that changes something', () => {
  const send = buildTool({
    name: 'send',
    title: 'Send',
    writes: true,
    integration: { mcpId: 'mail', name: 'Mail' },
    run: async () => 'sent',
  })

  it('has an approval request with all details', async () => {
    const before = Date.now()
    const input = buildInput(modelThatCalls([call('1', 'send', { to: 'ann' })]).model, [send])
    const outcome = await generateReply(input)
    expect(outcome).toEqual({
      status: 'waiting',
      pending: [
        {
          callId: '1',
          kind: 'approval',
          tool: 'send',
          title: 'Send',
          of: { mcpId: 'mail', name: 'Mail' },
          fingerprint: fingerprintTool(send),
          arguments: '{"to":"ann"}',
          askedAtMs: expect.any(Number) as number,
        },
      ],
    })
    expect(outcome.status === 'waiting' && outcome.pending[0]?.askedAtMs).toBeGreaterThanOrEqual(before)
    expect(listEvents(input.events).at(-3)).toEqual({
      type: 'tool-approval-request',
      approvalId: '1',
      toolCallId: '1',
    })
  })

  it('runs at once if its tool is always allowed', async () => {
    const permissions: string[] = []
    const input = buildInput(
      modelThatCalls([call('1', 'send'), call('2', 'find')]).model,
      [send, buildTool()],
      {
        isAllowed: ({ name }) => name === 'send',
        ledger: { record: (_, __, permission) => permissions.push(permission) },
      },
    )
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(permissions).toEqual(['always', 'reading'])
  })

  it('has no approval request if its arguments are invalid', async () => {
    const strictTool = { ...send, parameters: zodParameters(z.object({ to: z.string() })) }
    const { model, modelRequests } = modelThatCalls([call('1', 'send', { to: [] })])
    expect(await generateReply(buildInput(model, [strictTool]))).toEqual({ status: 'done' })
    expect(listResults(modelRequests[1])[0]).toMatch(/^Error: The arguments do not fit: /)
  })

  it('asks to reconnect first if its connection needs that', async () => {
    const brokenTool = { ...send, reconnectReason: 'moved' as never }
    const input = buildInput(modelThatCalls([call('1', 'send')]).model, [brokenTool])
    expect(await generateReply(input)).toMatchObject({
      status: 'waiting',
      pending: [{ kind: 'reconnect', reconnect: 'moved' }],
    })
    expect(listEvents(input.events).map(({ type }) => type)).not.toContain('tool-approval-request')
  })
})

describe('a connection that turns out to be broken', () => {
  const brokenTool = buildTool({
    integration: { mcpId: 'mail', name: 'Mail' },
    run: () =>
      Promise.reject(new ReconnectRequired({ mcpId: 'mail', name: 'Mail' }, { reason: 'moved' as never })),
  })

  it('has to be reconnected, while the other calls of the round run', async () => {
    const input = buildInput(modelThatCalls([call('1', 'gone'), call('2', 'find')]).model, [
      { ...brokenTool, name: 'gone' },
      buildTool(),
    ])
    expect(await generateReply(input)).toMatchObject({
      status: 'waiting',
      pending: [{ callId: '1', kind: 'reconnect', reconnect: 'moved' }],
    })
    expect(toReplyParts(input.events.reply).toolCalls.map(({ tool: name }) => name)).toEqual(['find'])
  })

  it('is reported to the model when the user cannot be asked', async () => {
    const { model, modelRequests } = modelThatCalls([call('1', 'find')])
    expect(await generateReply(buildInput(model, [brokenTool], { canAskUser: false }))).toEqual({
      status: 'done',
    })
    expect(listResults(modelRequests[1])).toEqual([
      'Error: Not done: the user has to connect it again, in a chat of the page.',
    ])
  })
})

describe('an answer of the user', () => {
  const send = buildTool({ name: 'send', writes: true, run: async () => 'sent' })
  const question = (changes: Partial<PendingCall> = {}): PendingCall => ({
    callId: '1',
    kind: 'approval',
    tool: 'send',
    title: 'Send',
    fingerprint: fingerprintTool(send),
    arguments: '{"to":"ann"}',
    askedAtMs: Date.now(),
    decision: 'approved',
    decidedAtMs: Date.now(),
    ...changes,
  })
  async function runDecided(
    changes: Partial<PendingCall>,
    more: Partial<ActiveReply> = {},
    tools = [send, buildTool()],
  ) {
    const { model, modelRequests } = modelThatCalls()
    const permissions: string[] = []
    const progress = { ...emptyProgress(), roundMessages: [{ role: 'assistant' as const, content: null }] }
    const outcome = await generateReply(
      buildInput(model, tools, {
        progress,
        decidedCalls: [question(changes)],
        ledger: { record: (_, __, permission) => permissions.push(permission) },
        ...more,
      }),
    )
    return { outcome, results: listResults(modelRequests[0]), permissions }
  }

  it.each<[string, Partial<PendingCall>, string[], string[]]>([
    ['yes', {}, ['sent'], ['approved']],
    ['no', { decision: 'denied' }, ['Error: The user denied this call.'], ['denied']],
    [
      'no to connecting again',
      { decision: 'denied', kind: 'reconnect' },
      ['Error: The user did not connect it again.'],
      ['denied'],
    ],
    [
      'an approval of more than five minutes ago',
      { decidedAtMs: Date.now() - 5 * 60_000 - 1_000 },
      ['Error: The approval came too long ago. Ask again.'],
      ['denied'],
    ],
    [
      'an approval of almost five minutes ago',
      { decidedAtMs: Date.now() - 5 * 60_000 + 20_000 },
      ['sent'],
      ['approved'],
    ],
    [
      'a yes without a time',
      { decidedAtMs: undefined },
      ['Error: The approval came too long ago. Ask again.'],
      ['denied'],
    ],
    [
      'connected again, for a call that reads',
      { kind: 'reconnect', tool: 'find', fingerprint: fingerprintTool(buildTool()) },
      ['found'],
      ['reading'],
    ],
    [
      'connected again, for a write that was approved almost five minutes ago',
      { kind: 'reconnect', history: { approvedAtMs: Date.now() - 5 * 60_000 + 20_000 } },
      ['sent'],
      ['approved'],
    ],
  ])('%s decides whether the call runs', async (_, changes, results, permissions) => {
    expect(await runDecided(changes)).toEqual({ outcome: { status: 'done' }, results, permissions })
  })

  it.each<[string, Partial<PendingCall>]>([
    ['to a tool that has changed since', { fingerprint: 'another' }],
    ['that it is connected again, for a call that changes something', { kind: 'reconnect' }],
    [
      'that it is connected again, for a write that was approved more than five minutes ago',
      { kind: 'reconnect', history: { approvedAtMs: Date.now() - 5 * 60_000 - 1_000 } },
    ],
    ['that a changed one is connected again', { kind: 'reconnect', fingerprint: 'another' }],
  ])('%s needs another approval', async (_, changes) => {
    const { outcome, results } = await runDecided(changes)
    expect(outcome).toMatchObject({
      status: 'waiting',
      pending: [
        { callId: '1', kind: 'approval', fingerprint: fingerprintTool(send), arguments: '{"to":"ann"}' },
      ],
    })
    expect(outcome.status === 'waiting' && outcome.pending[0]).not.toHaveProperty('decision')
    expect(results).toEqual([])
  })

  it('that the integration is reconnected runs a tool that is always allowed', async () => {
    const { outcome, results } = await runDecided({ kind: 'reconnect' }, { isAllowed: () => true })
    expect([outcome, results]).toEqual([{ status: 'done' }, ['sent']])
  })

  it('for a tool that is gone is an error for the model', async () => {
    const { results, permissions } = await runDecided({}, {}, [buildTool()])
    expect(results).toEqual(['Error: There is no tool named send.'])
    expect(permissions).toEqual([])
  })
})
