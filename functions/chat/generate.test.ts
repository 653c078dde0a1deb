import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { generate, type GenerateInput } from './generate.ts'
import { emptyProgress } from './progress.ts'
import type { Model, ModelRound, ModelToolCall } from './model.ts'
import { zodParameters, type Tool } from '../tools/tool.ts'

type Answer = { text?: string; toolCalls?: ModelToolCall[]; truncated?: boolean }

/** A model that gives these answers in turn, and keeps what it was asked. */
function scripted(...answers: Answer[]) {
  const asked: { tools: number; roles: string[] }[] = []
  const model: Model = {
    async complete({ messages, tools, onText, signal }): Promise<ModelRound> {
      asked.push({ tools: tools.length, roles: messages.map(({ role }) => role) })
      const { text = '', toolCalls = [], truncated = false } = answers[asked.length - 1] ?? {}
      for (const piece of text.match(/[\s\S]{1,4000}/g) ?? []) {
        onText(piece)
        signal.throwIfAborted()
      }
      return { text, toolCalls, truncated, inputTokens: 1, outputTokens: 2 }
    },
  }
  return { model, asked }
}

const call = (id: string, name = 'add', args = '{"a":1,"b":2}') => ({ id, name, arguments: args })

const add: Tool = {
  name: 'add',
  description: 'Adds two numbers',
  parameters: zodParameters(z.object({ a: z.number(), b: z.number() })),
  writes: false,
  activity: 'other',
  timeoutMs: 1_000,
  run: async ({ a, b }) => Number(a) + Number(b),
}
const send: Tool = { ...add, name: 'send', writes: true, run: async () => 'sent' }

function input(model: Model, changes: Partial<GenerateInput> = {}): GenerateInput {
  return {
    model,
    tools: [add, send],
    messages: [{ role: 'user', content: 'hi' }],
    progress: emptyProgress(),
    log: new ReplyLog(),
    signal: new AbortController().signal,
    ...changes,
  }
}

const events = (log: ReplyLog) =>
  log.after(0).map((part) => ('event' in part ? part.event : ({ type: 'text', text: part.text } as const)))
const types = (log: ReplyLog) => events(log).map(({ type }: { type: ChatEvent['type'] | 'text' }) => type)

describe('text', () => {
  it('CHAT-44 CHAT-45 a reply is one text part', async () => {
    const given = input(scripted({ text: 'Hello' }).model)
    expect(await generate(given)).toEqual({ status: 'done' })
    expect(types(given.log)).toEqual(['text-start', 'text', 'text-end'])
    expect(given.progress).toMatchObject({ content: 'Hello', inputTokens: 1, outputTokens: 2 })
  })

  it('a reply that the model cuts is incomplete', async () => {
    expect(await generate(input(scripted({ text: 'He', truncated: true }).model))).toEqual({
      status: 'incomplete',
    })
  })

  it('a reply without a word is a fault', async () => {
    await expect(generate(input(scripted({ text: ' \n' }).model))).rejects.toMatchObject({
      code: 'model_empty',
    })
  })

  it('a reply that would fit into no row ends as incomplete', async () => {
    const given = input({
      async complete({ onText, signal }) {
        onText(`x${'👋'.repeat(maxReplyCharacters)}`)
        signal.throwIfAborted()
        throw new Error('went on')
      },
    })
    expect(await generate(given)).toEqual({ status: 'incomplete' })
    // a letter of two units is not cut in two
    expect(given.progress.content).toHaveLength(maxReplyCharacters - 1)
    expect(given.progress.content.isWellFormed()).toBe(true)
  })
})

describe('tools', () => {
  it('CAP-13 runs the calls of a round and asks again with their results', async () => {
    const { model, asked } = scripted(
      { text: 'Let me see.', toolCalls: [call('1'), call('2')] },
      { text: 'It is 3.' },
    )
    const given = input(model)
    expect(await generate(given)).toEqual({ status: 'done' })
    expect(given.progress.content).toBe('Let me see.\n\nIt is 3.')
    expect(given.progress.toolCalls).toHaveLength(2)
    expect(given.progress.toolCalls[0]).toEqual({
      tool: 'add',
      action: 'add',
      parameters: { a: 1, b: 2 },
      result: { success: true, data: 3 },
    })
    expect(asked[1]?.roles).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(types(given.log)).toEqual([
      'text-start',
      'text',
      'text-end',
      'tool-input-available',
      'tool-input-available',
      'tool-output-available',
      'tool-output-available',
      'text-start',
      'text',
      'text-end',
    ])
  })

  it.each([
    ['a tool that was not offered', call('1', 'erase'), 'no tool named erase'],
    ['arguments that are no JSON', call('1', 'add', '{"a":'), 'not a JSON object'],
    ['arguments that do not fit', call('1', 'add', '{"a":"x","b":2}'), 'do not fit'],
  ])('gives %s back to the model as an error', async (_, wrong, message) => {
    const given = input(scripted({ toolCalls: [wrong] }, { text: 'Sorry.' }).model)
    await generate(given)
    expect(given.progress.toolCalls[0]?.result).toMatchObject({
      success: false,
      error: expect.stringContaining(message) as string,
    })
    expect(types(given.log)).toContain('tool-output-error')
  })

  it('a tool that takes too long or fails does not end the reply', async () => {
    const slow: Tool = {
      ...add,
      name: 'slow',
      timeoutMs: 5,
      run: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))),
    }
    const broken: Tool = {
      ...add,
      name: 'broken',
      run: async () => Promise.reject(new Error('no such file')),
    }
    const { model } = scripted({ toolCalls: [call('1', 'slow'), call('2', 'broken')] }, { text: 'Well.' })
    const given = input(model, { tools: [slow, broken] })
    expect(await generate(given)).toEqual({ status: 'done' })
    expect(given.progress.toolCalls.map(({ result }) => result.error)).toEqual([
      'No answer within 0.005 seconds.',
      'no such file',
    ])
  })

  it('after 8 rounds the model has to answer without tools', async () => {
    const { model, asked } = scripted(
      ...Array.from({ length: 8 }, (_, index) => ({ toolCalls: [call(String(index))] })),
      { text: 'Enough.' },
    )
    expect(await generate(input(model))).toEqual({ status: 'done' })
    expect(asked.map(({ tools }) => tools)).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 0])
  })

  it('asks before a call that changes something, and goes on with the answer', async () => {
    const { model, asked } = scripted({ toolCalls: [call('1'), call('2', 'send')] }, { text: 'Done.' })
    const given = input(model)
    const outcome = await generate(given)
    expect(outcome).toMatchObject({ status: 'waiting', pending: [{ callId: '2', tool: 'send' }] })
    expect(types(given.log).at(-1)).toBe('tool-approval-request')
    expect(given.progress.toolCalls).toHaveLength(1)
    const decided =
      outcome.status === 'waiting'
        ? outcome.pending.map((one) => ({ ...one, decision: 'approved' as const, decidedAtMs: Date.now() }))
        : []
    expect(await generate({ ...given, decided })).toEqual({ status: 'done' })
    expect(given.progress.toolCalls[1]).toMatchObject({
      tool: 'send',
      result: { success: true, data: 'sent' },
    })
    expect(asked[1]?.roles).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  it('a denied call does not run, and the model is told', async () => {
    const { model } = scripted({ text: 'I left it.' })
    const given = input(model)
    given.progress.rounds.push({ role: 'assistant', content: null })
    const decided = [
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
    await generate({ ...given, decided })
    expect(given.progress.toolCalls[0]?.result).toEqual({
      success: false,
      error: 'The user denied this call.',
    })
    expect(types(given.log)[0]).toBe('tool-output-denied')
  })
})

describe('a question that is still on its way into the table', () => {
  const calling = () =>
    scripted({ text: 'I will send it.', toolCalls: [call('1', 'add')] }, { text: 'Done.' })

  it('the model is asked meanwhile, and no tool is called before it is there', async () => {
    const { model, asked } = calling()
    const ran: string[] = []
    const stored = Promise.withResolvers<void>()
    const run = () => {
      ran.push('add')
      return Promise.resolve(3)
    }
    const ended = generate(input(model, { stored: stored.promise, tools: [{ ...add, run }] }))
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(ran).toEqual([])
    stored.resolve()
    expect(await ended).toEqual({ status: 'done' })
    expect(ran).toEqual(['add'])
  })

  it('of one that was not kept nothing is done', async () => {
    const { model } = calling()
    const run = vi.fn<Tool['run']>()
    const stored = Promise.reject(new Error('the table did not answer'))
    await expect(generate(input(model, { stored, tools: [{ ...add, run }] }))).rejects.toThrow(
      'did not answer',
    )
    expect(run).not.toHaveBeenCalled()
  })
})
