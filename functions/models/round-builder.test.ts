import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelMessage } from './model.ts'
import { ModelError, modelErrors } from './model-errors.ts'
import { isRecord, toFields, toText } from './fields.ts'
import { RoundBuilder, toArgumentsText } from './round-builder.ts'

const call: ModelCall = {
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  onText: () => undefined,
  onOmit: () => undefined,
}

it.each<[string, (round: RoundBuilder) => void, { code: string }]>([
  ['nothing', () => undefined, modelErrors.empty],
  ['text', (round) => round.addText('Hi'), modelErrors.cut],
  ['a call', (round) => round.addToolInput(0, {}), modelErrors.cut],
  ['reasoning that may be read', (round) => round.addReasoningText('', 'r'), modelErrors.cut],
  ['reasoning that may not', (round) => round.addHiddenReasoning(), modelErrors.cut],
])('a stream that breaks off after %s is an error', (_, add, { code }) => {
  const round = new RoundBuilder(call)
  add(round)
  expect(() => round.build(false)).toThrow(expect.objectContaining({ code }))
})

/** A builder, and the pieces that it passes on. */
function open(...messages: ModelMessage[]) {
  const events: unknown[] = []
  const opened = {
    ...call,
    messages,
    onText: (delta) => events.push(['text', delta]),
    onReasoning: (...args) => events.push(['reasoning', ...args]),
    onToolInput: ({ id, name, delta }) => events.push(['input', id, name, delta]),
  } satisfies ModelCall
  return { round: new RoundBuilder(opened), events, call: opened }
}

it.each([
  ['functions.send', 'send'],
  ['functions/send', 'send'],
  ['default_api:send', 'send'],
  ['functions.send:12', 'send'],
  ['tool.send', 'tool.send'],
  ['functions.other', 'functions_other'],
])('a call of %s is one of %s, if that is offered', (written, name) => {
  const names: string[] = []
  const offered = ['send', 'tool.send'].map((one) => ({ type: 'function' as const, function: { name: one } }))
  const round = new RoundBuilder({ ...call, tools: offered, onToolInput: (part) => names.push(part.name) })
  round.addToolInput(0, { id: 'a', name: written, delta: '{}' })
  expect(round.build(true).toolCalls[0]?.name).toBe(name)
  expect(new Set(names)).toEqual(new Set([name]))
})

describe('an answer', () => {
  it('has none of the text that was reasoning', () => {
    let wasReasoning = 0
    const round = new RoundBuilder({ ...call, onTextWasReasoning: () => (wasReasoning += 1) })
    for (const piece of ['Hm.', '</think>', '\nHi']) round.addText(piece)
    expect(round.build(true)).toMatchObject({ text: 'Hi', toolCalls: [], truncated: false })
    expect(wasReasoning).toBe(1)
  })

  it('is assembled from its pieces, which are passed on as they arrive', () => {
    const { round, events } = open()
    round.addReasoningText('Hm', 'r1')
    round.addReasoningText('', 'r1')
    round.addText('')
    round.addText('Let me ')
    round.addText('see.')
    round.addToolInput(0, { id: 'a' })
    round.addToolInput(0, { id: 'never', name: 'find' })
    round.addToolInput(0, { name: 'find', delta: '{"q"' })
    round.addToolInput(0, { delta: ':1}' })
    round.addToolInput('other', { name: 'send', delta: '{' })
    round.addToolInput('other', { id: 'b', delta: '}' })
    round.addUsage({ input_tokens: 3, output_tokens: 4, reasoning_tokens: 2 })
    round.end = 'done'
    expect(round.build(false)).toStrictEqual({
      text: 'Let me see.',
      toolCalls: [
        { id: 'a', name: 'find', arguments: '{"q":1}' },
        { id: 'b', name: 'send', arguments: '{}' },
      ],
      truncated: false,
      inputTokens: 3,
      outputTokens: 4,
      reasoningTokens: 2,
    })
    expect(events).toEqual([
      ['reasoning', 'Hm', 'r1'],
      ['text', 'Let me '],
      ['text', 'see.'],
      ['input', 'a', 'find', ''],
      ['input', 'a', 'find', '{"q"'],
      ['input', 'a', 'find', ':1}'],
      ['input', 'b', 'send', '}'],
    ])
  })

  it('is passed on only to listeners that exist', () => {
    const round = new RoundBuilder(call)
    round.addReasoningText('Hm', 'r')
    round.addToolInput(0, { id: 'a', name: 'find', delta: '{}' })
    expect(round.build(true).toolCalls).toEqual([{ id: 'a', name: 'find', arguments: '{}' }])
  })

  it('has calls with unique ids, and none without a name', () => {
    const { round } = open()
    for (const [key, id] of ['a', 'a', undefined, 7].entries())
      round.addToolInput(key, { id, name: 'find', delta: `{"n":${key}}` })
    round.addToolInput('nameless', { id: 'c', delta: '{}' })
    const ids = round.build(true).toolCalls.map(({ id }) => id)
    expect(ids).toEqual([
      'a',
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^call_.{36}$/) as string),
    ])
    expect(new Set(ids).size).toBe(4)
  })

  it('has the same ids as what goes back to its server', () => {
    const { round } = open()
    for (const [key, id] of ['a', 'a', undefined].entries())
      round.addToolInput(key, { id, name: 'find', delta: `{"n":${key}}` })
    const sent = [...round.endCalls().values()]
    expect(round.build(true).toolCalls).toEqual(sent)
  })

  it('has a call once that the server repeats with the same id, name and arguments', () => {
    const { round } = open()
    for (const key of [0, 1]) round.addToolInput(key, { id: 'a', name: 'send', delta: '{"to":"bo"}' })
    expect(round.build(true).toolCalls).toEqual([{ id: 'a', name: 'send', arguments: '{"to":"bo"}' }])
  })

  it('uses the complete arguments at the end of a call if there were no pieces', () => {
    const { round, events } = open()
    round.addToolInput(0, { id: 'a', name: 'find', delta: '{"q":1}' })
    round.completeToolInput(0, { id: 'a', name: 'find', args: '{"q":1}' })
    round.addToolInput(1, { id: 'b', name: 'send' })
    round.completeToolInput(1, { id: 'x', name: 'x', args: '{}' })
    round.completeToolInput(2, { id: 'c', name: 'wait', args: '{"s":1}' })
    expect(round.build(true).toolCalls).toEqual([
      { id: 'a', name: 'find', arguments: '{"q":1}' },
      { id: 'b', name: 'send', arguments: '{}' },
      { id: 'c', name: 'wait', arguments: '{"s":1}' },
    ])
    expect(events).toHaveLength(6)
  })

  it('is kept as its server gave it, up to a limit', () => {
    const build = (length: number) => {
      const { round } = open()
      round.addText('Hi')
      const overhead = JSON.stringify([{ text: '' }]).length
      const items = [{ text: 'x'.repeat(length - overhead) }]
      return round.build(true, () => ({ api: 'chat', model: 'm', items })).answer
    }
    expect(build(1_000_000)).toMatchObject({ api: 'chat', model: 'm', items: [{}] })
    expect(build(1_000_001)).toBeUndefined()
  })

  // https://github.com/NVIDIA-NeMo/Switchyard/issues/502: Kimi, llama.cpp and others count calls anew in each answer
  it('has no id of a call that an earlier answer of the request has', () => {
    const { round, events } = open({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'find:0', type: 'function', function: { name: 'find', arguments: '{}' } }],
    })
    round.addToolInput(0, { id: 'find:0', name: 'find', delta: '{}' })
    round.addToolInput(1, { id: 'find:1', name: 'find', delta: '{}' })
    const [first, second] = round.build(true).toolCalls
    expect([first?.id, second?.id]).toEqual([expect.stringMatching(/^call_.{36}$/), 'find:1'])
    // readers know it by one id
    expect(events.map((event) => (event as unknown[])[1])).toEqual([first?.id, first?.id, 'find:1', 'find:1'])
  })

  it('has a call once whose arguments the server sends again as a whole', () => {
    const { round } = open()
    for (let time = 0; time < 2; time += 1)
      round.addToolInput(0, { id: 'a', name: 'send', delta: '{"n":11}' })
    expect(round.build(true).toolCalls).toEqual([{ id: 'a', name: 'send', arguments: '{"n":11}' }])
  })

  it('goes on with the thought of the answer before, if that ended with calls', () => {
    const first = open()
    first.round.addText('<think>Let me look')
    first.round.addToolInput(0, { id: 'a', name: 'find', delta: '{}' })
    const built = first.round.build(true)
    expect(built).toMatchObject({ text: '', isThinking: true, toolCalls: [{ id: 'a' }] })
    const next = open(
      { role: 'assistant', content: '', isThinking: true },
      { role: 'tool', tool_call_id: 'a', content: '' },
    )
    let wasReasoning = 0
    const round = new RoundBuilder({ ...next.call, onTextWasReasoning: () => (wasReasoning += 1) })
    round.addText('It says 4.</think>The answer is 4.')
    expect([round.build(true).text, wasReasoning]).toEqual(['The answer is 4.', 1])
    const plain = new RoundBuilder(next.call)
    plain.addText('The answer is 4.')
    expect(plain.build(true).text).toBe('The answer is 4.')
    const other = open()
    other.round.addText('It says 4.</think>The answer is 4.')
    expect(other.round.build(true).text).toBe('It says 4.</think>The answer is 4.')
  })

  it.each<[RoundBuilder['end'], boolean, string, boolean | string]>([
    ['done', false, 'Hi', false],
    ['done', false, '', false],
    ['length', false, 'Hi', true],
    ['filtered', false, 'Hi', true],
    ['unknown', false, 'Hi', true],
    ['filtered', false, '', modelErrors.filtered.code],
    [undefined, true, 'Hi', false],
    [undefined, true, '', modelErrors.empty.code],
    [undefined, false, 'Hi', modelErrors.cut.code],
  ])('with the end %s, the stream done %s and the text "%s": %s', (end, isDone, text, outcome) => {
    const { round } = open()
    round.addText(text)
    round.end = end
    const build = () => {
      try {
        return round.build(isDone).truncated
      } catch (error) {
        return error instanceof ModelError && error.code
      }
    }
    expect(build()).toBe(outcome)
  })
})

it.each([
  ['length', 'length'],
  ['filtered', 'filter'],
  ['unknown', undefined],
  ['done', undefined],
] as const)('tells why an answer is not complete, if the server does: %s', (end, reason) => {
  const { round } = open()
  round.addText('Hi')
  round.end = end
  expect(round.build(true).incompleteReason).toBe(reason)
})

it('a value that is not text counts as missing', () => {
  expect([undefined, null, '', 'a', 3, {}].map(toText)).toEqual(['', '', '', 'a', '', ''])
})

it.each([
  ['', '{}'],
  [' ', '{}'],
  ['null', '{}'],
  ['"{\\"q\\":1}"', '{"q":1}'],
  ['"text"', '"text"'],
  ['"{', '"{'],
  ['{"q":1}', '{"q":1}'],
  ['{"q"', '{"q"'],
])('the arguments %s are %s', (sent, args) => {
  const { round } = open()
  round.addToolInput(0, { id: 'a', name: 'find', delta: sent })
  expect(round.build(true).toolCalls).toEqual([{ id: 'a', name: 'find', arguments: args }])
})

it.each([
  [{ a: 1 }, true, '{"a":1}'],
  [{}, true, '{}'],
  [[], false, ''],
  [null, false, ''],
  [undefined, false, ''],
  [3, false, ''],
  ['{"a"', false, '{"a"'],
])('of %j a server may have meant an object: %s, and the arguments %j', (value, is, args) => {
  expect(isRecord(value)).toBe(is)
  expect(toFields(value)).toEqual(is ? value : {})
  expect(toArgumentsText(value)).toBe(args)
})

// NousResearch/hermes-agent#81017: a call without arguments ran though its arguments were lost
it.each<[NonNullable<RoundBuilder['end']>, string, string | undefined]>([
  ['length', '', 'length'],
  ['length', '{"q"', 'length'],
  ['length', '{"q":1}', undefined],
  ['length', '{}', undefined],
  ['filtered', ' ', 'fault'],
  ['broken', '', 'fault'],
  ['busy', '{', 'fault'],
  ['badCall', '', 'fault'],
  ['paused', '', undefined],
  ['unknown', '', undefined],
  ['done', '', undefined],
])('after the end %s, a last call with the arguments "%s" is cut by: %s', (end, args, cutBy) => {
  const { round } = open()
  round.addToolInput(0, { id: 'a', name: 'list', delta: '' })
  round.addToolInput(1, { id: 'b', name: 'find', delta: args })
  round.end = end
  expect(round.build(true).toolCalls.map((one) => one.cutBy)).toEqual([undefined, cutBy])
})

it('a call that is repeated with other arguments or another name is another call', () => {
  const { round } = open()
  for (const [key, name] of ['find', 'find', 'send'].entries())
    round.addToolInput(key, { id: 'a', name, delta: key === 1 ? '{"n":1}' : '{}' })
  const other = expect.stringMatching(/^call_/) as string
  expect(round.build(true).toolCalls).toEqual([
    { id: 'a', name: 'find', arguments: '{}' },
    { id: other, name: 'find', arguments: '{"n":1}' },
    { id: other, name: 'send', arguments: '{}' },
  ])
})

it('calls without an id are never one', () => {
  const { round } = open()
  for (const key of [0, 1]) round.addToolInput(key, { name: 'send', delta: '{}' })
  expect(round.build(true).toolCalls).toHaveLength(2)
})
