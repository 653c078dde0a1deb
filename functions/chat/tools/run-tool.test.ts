import { sayTool } from '#shared/sentences/tools.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../platform/tool-error.ts'
import { TooManyMemories } from '../../settings/errors.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import {
  parseArguments,
  prepareCall,
  runTool,
  toActivity,
  toModelTool,
  type PreparedCall,
} from './run-tool.ts'

const tool = (changes: Partial<Tool> = {}): Tool => ({
  name: 'mail_find',
  description: 'Finds',
  integration: { mcpId: 'm', name: 'Mail' },
  parameters: zodParameters(z.object({ q: z.string().default('all') })),
  writes: false,
  activity: 'research',
  timeoutMs: 10_000,
  run: async () => 'found',
  ...changes,
})
const call = (name: string, text: string) => ({ id: '1', name, arguments: text })

describe('the arguments of a call', () => {
  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', undefined],
    ['null', undefined],
    ['"a"', undefined],
    ['{', undefined],
    ['{"a":{"__proto__":1}}', undefined],
    [`{"a":${'['.repeat(63)}${']'.repeat(63)}}`, { a: expect.any(Array) as unknown }],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, undefined],
  ])('%s are %j', (text, input) => {
    expect(parseArguments(text)).toEqual(input)
  })

  it('are checked against the tool and its parameters', () => {
    const find = tool()
    const prepare = (name: string, text: string) => {
      const { call: _, ...prepared } = prepareCall([tool({ name: 'other' }), find], call(name, text))
      return prepared
    }
    expect(prepare('mail_find', '')).toEqual({ tool: find, input: { q: 'all' }, problem: undefined })
    expect(prepare('find_mails', '{"q":1}')).toMatchObject({
      tool: undefined,
      input: { q: 1 },
      problem: { text: 'There is no tool named find_mails. The closest are: mail_find, other.' },
    })
    expect(prepare('x', '{')).toMatchObject({ input: {}, problem: { text: 'There is no tool named x.' } })
    expect(prepare('mail_find', '[]')).toMatchObject({
      tool: find,
      input: {},
      problem: { text: 'The arguments are not a JSON object.' },
    })
    expect(prepare('mail_find', '{"q":1}')).toMatchObject({ input: { q: '1' }, problem: undefined })
    expect(prepare('mail_find', '{"q":[]}')).toMatchObject({
      input: { q: [] },
      problem: {
        text: expect.stringContaining('The arguments do not fit: ') as string,
        params: { reason: 'schema', problem: { code: 'invalid_inputs' } },
      },
    })
    expect(prepareCall([find], { ...call('mail_find', '{"q":"a'), cutBy: 'length' }).problem?.text).toMatch(
      /cut off.*limit of length.*Nothing was done/,
    )
    expect(prepareCall([find], { ...call('mail_find', '{}'), cutBy: 'fault' }).problem?.text).toMatch(
      /cut off.*ended early.*Nothing was done/,
    )
    const checkBytes = (bytes: number) =>
      prepare('mail_find', `{"q":"${'é'.repeat((bytes - 8) / 2)}"}`).problem?.text
    expect(checkBytes(150_000)).toBeUndefined()
    expect(checkBytes(150_002)).toBe('The arguments have more than 150000 bytes.')
  })
})

describe('a call that runs', () => {
  const run = (
    changes: Partial<Tool>,
    more: Partial<PreparedCall> = {},
    signal = new AbortController().signal,
  ) =>
    runTool(
      { call: call('find', '{}'), tool: tool(changes), input: { q: 'x' }, problem: undefined, ...more },
      signal,
    )

  it('gives the model the whole result, and stores the part that its tool chooses', async () => {
    expect(await run({ run: async () => ({ a: 1 }) })).toStrictEqual({
      success: true,
      data: { a: 1 },
      forModel: '{"a":1}',
    })
    expect(await run({ run: async () => 'all', toStoredResult: (all) => ({ all }) })).toStrictEqual({
      success: true,
      data: { all: 'all' },
      forModel: 'all',
    })
    expect(await run({ run: async () => undefined })).toMatchObject({ forModel: 'null' })
  })

  it.each(['', ' \n'])('tells the model that an answer has no content (%j)', async (data) => {
    const prepared = {
      ...prepareCall([tool()], call('mail_find', '')),
      tool: tool({ run: async () => data }),
    }
    expect(await runTool(prepared, AbortSignal.timeout(1_000))).toEqual({
      success: true,
      data,
      forModel: '[The call was answered. The answer has no content.]',
    })
  })

  it('has files, links and an app only if its result has them', async () => {
    const file = { name: 'a', bytes: Buffer.from('a') } as never
    const link = { name: 'b', url: 'https://example.org' } as never
    const withRich = (richChanges: object, changes: Partial<Tool> = {}) =>
      run({
        ...changes,
        run: async (_input, _signal, _history, rich) => void Object.assign(rich ?? {}, richChanges),
      })
    expect(await withRich({})).not.toHaveProperty('rich')
    expect(await withRich({ files: [file] })).toMatchObject({ rich: { files: [file], links: [] } })
    expect(await withRich({ links: [link] })).toMatchObject({ rich: { files: [], links: [link] } })
    expect(await withRich({ isStructured: true })).toMatchObject({ rich: { isStructured: true } })
    expect(await withRich({}, { appUri: 'ui://a' })).toMatchObject({ rich: { files: [], links: [] } })
  })

  it('tells the model what of the result could not be read', async () => {
    const withOddities = (oddities?: string) =>
      run({
        run: async (_input, _signal, _history, rich) => {
          if (rich && oddities !== undefined) rich.oddities = oddities
          return 'found'
        },
      })
    expect(await withOddities('[2 parts could not be read.]')).toStrictEqual({
      success: true,
      data: 'found',
      forModel: 'found\n[2 parts could not be read.]',
    })
    expect(await withOddities()).toMatchObject({ forModel: 'found' })
  })

  it('tells the model what the result says besides its structured content, and stores the latter', async () => {
    const outcome = await run({
      run: async (_input, _signal, _history, rich) => {
        Object.assign(rich ?? {}, { isStructured: true, furtherText: 'one', oddities: '[odd]' })
        return { fileName: 'a.txt' }
      },
    })
    expect(outcome).toMatchObject({
      data: { fileName: 'a.txt' },
      forModel: '{"fileName":"a.txt"}\none\n[odd]',
    })
  })

  it('passes on its request and its history', async () => {
    const history = { rounds: 1 }
    const receivedArguments: unknown[] = []
    await run(
      { run: async (input, _signal, continuation) => void receivedArguments.push(input, continuation) },
      { history },
    )
    expect(receivedArguments).toEqual([{ q: 'x' }, history])
  })

  it('tells the model why it failed, in 2,500 characters', async () => {
    const fail = (error: unknown) => run({ run: () => Promise.reject(error as Error) })
    const tooLong = new ToolError(sayTool('tool_failed', { message: 'y'.repeat(2_600) }))
    expect(await fail(tooLong)).toMatchObject({
      success: false,
      error: 'y'.repeat(2_500),
      forModel: `Error: ${'y'.repeat(2_500)}`,
    })
    expect(await fail('text')).toMatchObject({ error: 'The call failed.' })
    expect(await fail(new Error('a sealed value has an unknown key id'))).toMatchObject({
      error: 'The call failed.',
      forModel: 'Error: The call failed.',
    })
    expect(await run({ writes: true, run: () => Promise.reject(new TypeError('x')) })).toMatchObject({
      error: `The call failed. ${mayBeDone.text}`,
    })
    // its message is for the log
    const refusal = new TooManyMemories('100 of 100')
    expect(await fail(refusal)).toMatchObject({ error: refusal.userMessage })
    expect(await run({}, { tool: undefined })).toMatchObject({ error: 'This call cannot run.' })
    expect(await run({}, { problem: sayTool('call_invalid.not_json') })).toEqual({
      success: false,
      error: 'The arguments are not a JSON object.',
      codes: [{ code: 'call_invalid', params: { reason: 'not_json' } }],
      forModel: 'Error: The arguments are not a JSON object.',
    })
  })

  it.each([
    new ReconnectRequired({ mcpId: 'm', name: 'Mail' }),
    new InputRequired({ requests: [] }),
    new TaskUnfinished({ id: 't', server: 's', createdAtMs: 1, pollMs: 1 }),
  ])('waits for %s', async (error) => {
    await expect(run({ run: () => Promise.reject(error) })).rejects.toBe(error)
  })

  it('ends when its time is up, or when the reply is stopped', async () => {
    const endless: Tool['run'] = (_input, signal) =>
      new Promise((_resolve, reject) => {
        const end = () => reject(signal.reason as Error)
        if (signal.aborted) end()
        else signal.addEventListener('abort', end)
      })
    expect(await run({ run: endless, timeoutMs: 5 })).toMatchObject({
      error: 'No answer within 0.005 seconds.',
    })
    expect(await run({ run: endless, timeoutMs: 5, writes: true })).toMatchObject({
      error: `No answer within 0.005 seconds. ${mayBeDone.text}`,
    })
    expect(await run({ run: endless }, {}, AbortSignal.abort(new Error('stopped')))).toMatchObject({
      error: 'The call failed.',
    })
  })
})

it('the page shows what a call does and its integration', () => {
  expect(toActivity({ tool: tool({ title: 'Find' }) })).toStrictEqual({
    kind: 'research',
    title: 'Find',
    integration: 'Mail',
  })
  const { integration: _, ...ownTool } = tool()
  expect(toActivity({ tool: ownTool })).toStrictEqual({ kind: 'research' })
  expect(toActivity({ tool: undefined })).toStrictEqual({ kind: 'other' })
})

it('a model gets the name, description and parameters', () => {
  const { parameters } = tool()
  expect(toModelTool(tool())).toEqual({
    type: 'function',
    function: { name: 'mail_find', description: 'Finds', parameters: parameters.schema },
  })
})

it('a whole number above 2^53 in arguments is kept as the model wrote it, also over an approval', () => {
  const text = '{"id":9007199254740993}'
  const parsed = parseArguments(text)
  expect(JSON.stringify(parsed)).toBe(text)
  expect(JSON.stringify(parseArguments(JSON.stringify(parsed)))).toBe(text)
})
