import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { buildGenerateInput } from '../../test/support/reply-input.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { maxReasoningCharacters, maxSources } from '#shared/limits.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { ReplyLog, toEvent } from '../conversations/store/reply-log.ts'
import { zodParameters, type Tool } from '../tools/calls/tool.ts'
import { generateReply } from './generate-reply.ts'
import type { Model, ModelCall, ModelRound } from '../models/model.ts'
import { roundWriter } from './round-writer.ts'
import { toUsage } from '../conversations/turns/stored-reply.ts'
import type { ActiveReply } from './reply.ts'

const send: Tool = {
  name: 'send',
  description: 'Sends',
  title: 'Send it',
  integration: { mcpId: 'mail', name: 'Mail' },
  parameters: zodParameters(z.object({ to: z.string() })),
  writes: true,
  activity: 'other',
  timeoutMs: 30_000,
  run: async () => 'sent',
}

type Round = (call: Required<ModelCall>) => Partial<ModelRound> | Promise<Partial<ModelRound>>

/** A model that runs one of these functions in each round. */
function scriptedModel(...rounds: Round[]): Model {
  let index = 0
  return {
    complete: async (call) => ({
      text: '',
      toolCalls: [],
      truncated: false,
      inputTokens: 10,
      outputTokens: 5,
      ...(await rounds[index++]?.(call as Required<ModelCall>)),
    }),
  }
}

function buildInput(model: Model, changes: Partial<ActiveReply> = {}): ActiveReply {
  return buildGenerateInput(model, { modelName: 'thinker', tools: [send], ...changes })
}

const read = (log: ReplyLog): ChatEvent[] => log.readAfter(0).map((part) => toEvent(part, part.from))
const filterEvents = (log: ReplyLog, prefix: string) =>
  read(log).filter(({ type }) => type.startsWith(prefix))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms)

describe('reasoning', () => {
  it('is sent before the text of a step, block by block, with its duration', async () => {
    const input = buildInput(
      scriptedModel(({ onReasoning, onText }) => {
        advanceClock(4_000)
        onReasoning('First', 'a')
        onReasoning(' this.', 'a')
        advanceClock(1_000)
        onReasoning('Then that.', 'b')
        advanceClock(2_000)
        onText('Done.')
        return { text: 'Done.', reasoningTokens: 3 }
      }),
    )
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(read(input.events)).toEqual([
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'reasoning-0-0' },
      { type: 'reasoning-delta', id: 'reasoning-0-0', delta: 'First this.' },
      { type: 'reasoning-end', id: 'reasoning-0-0', providerMetadata: { juno: { durationMs: 5_000 } } },
      { type: 'reasoning-start', id: 'reasoning-0-1' },
      { type: 'reasoning-delta', id: 'reasoning-0-1', delta: 'Then that.' },
      { type: 'reasoning-end', id: 'reasoning-0-1', providerMetadata: { juno: { durationMs: 2_000 } } },
      { type: 'text-start', id: 'text-0' },
      { type: 'text-delta', id: 'text-0', delta: 'Done.' },
      { type: 'text-end', id: 'text-0' },
      {
        type: 'message-metadata',
        messageMetadata: {
          usage: {
            inputTokens: 10,
            cachedInputTokens: 0,
            outputTokens: 5,
            reasoningTokens: 3,
            images: 0,
            model: 'thinker',
            contextUsed: 15,
          },
        },
      },
      { type: 'finish-step' },
    ])
    expect(input.events.reply.reasoning).toMatchObject({
      text: 'First this.\n\nThen that.',
      durationMs: 7_000,
    })
    expect(input.events.reply.text).toBe('Done.')
  })

  it('is ended when the stream breaks during it, and its tokens are estimated', async () => {
    const input = buildInput(
      scriptedModel(({ onReasoning }) => {
        onReasoning('Hm', 'a')
        advanceClock(500)
        throw new Error('cut')
      }),
    )
    await expect(generateReply(input)).rejects.toThrow('cut')
    expect(filterEvents(input.events, 'reasoning').at(-1)).toMatchObject({
      type: 'reasoning-end',
      providerMetadata: { juno: { durationMs: 500 } },
    })
    expect(input.events.reply.reasoning).toMatchObject({ text: 'Hm', durationMs: 500 })
    expect(read(input.events).at(-1)).toMatchObject({
      type: 'message-metadata',
      messageMetadata: { usage: { estimated: true, outputTokens: 1 } },
    })
  })

  it('of any length is sent and stored up to a limit', async () => {
    const input = buildInput(
      scriptedModel(({ onReasoning, onText }) => {
        for (let block = 0; block < 30; block += 1) onReasoning('x'.repeat(1_000), String(block))
        onText('Done.')
        return { text: 'Done.' }
      }),
    )
    await generateReply(input)
    expect(input.events.reply.reasoning?.text).toHaveLength(maxReasoningCharacters)
    const deltas = filterEvents(input.events, 'reasoning-delta').flatMap((event) =>
      event.type === 'reasoning-delta' ? event.delta : [],
    )
    expect(deltas.join('').length).toBeLessThanOrEqual(maxReasoningCharacters)
  })

  it('that a server ends without having begun it is taken back from the text, for readers too', async () => {
    const input = buildInput(
      scriptedModel(
        ({ onText }) => {
          onText('I look.')
          return { text: 'I look.', toolCalls: [{ id: 'c', name: 'send', arguments: '{"to":"a"}' }] }
        },
        ({ onText, onTextWasReasoning }) => {
          onText('Let me ')
          onText('think.')
          onTextWasReasoning()
          onText('Done.')
          return { text: 'Done.' }
        },
      ),
      { tools: [{ ...send, writes: false }] },
    )
    await generateReply(input)
    const reply = read(input.events).reduce(foldReply, emptyReply)
    expect([input.events.reply.text, input.events.reply.reasoning?.text]).toEqual([
      'I look.\n\nDone.',
      'Let me think.',
    ])
    expect([reply.text, reply.reasoning?.text]).toEqual(['I look.\n\nDone.', 'Let me think.'])
  })

  it('is not part of the reply if it has no text', async () => {
    const input = buildInput(
      scriptedModel(({ onReasoning, onText }) => {
        onReasoning('', 'a')
        onText('Done.')
        return { text: 'Done.' }
      }),
    )
    await generateReply(input)
    expect(filterEvents(input.events, 'reasoning')).toEqual([])
  })
})

describe('a call that is being written', () => {
  const writeCall: Round = ({ onToolInput }) => {
    onToolInput({ id: 'c', name: 'send', delta: '' })
    onToolInput({ id: 'c', name: 'send', delta: '{"to":' })
    onToolInput({ id: 'c', name: 'send', delta: '"ann"}' })
    return { toolCalls: [{ id: 'c', name: 'send', arguments: '{"to":"ann"}' }] }
  }

  it('is sent piece by piece, and then as a whole', async () => {
    const input = buildInput(scriptedModel(writeCall))
    expect(await generateReply(input)).toMatchObject({ status: 'waiting' })
    expect(read(input.events).slice(0, 6)).toEqual([
      { type: 'start-step' },
      {
        type: 'tool-input-start',
        toolCallId: 'c',
        toolName: 'send',
        title: 'Send it',
        providerMetadata: { juno: { kind: 'other', title: 'Send it', integration: 'Mail' } },
      },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"to":"ann"}' },
      expect.objectContaining({ type: 'tool-input-available', toolCallId: 'c', input: { to: 'ann' } }),
      { type: 'tool-approval-request', approvalId: 'c', toolCallId: 'c' },
      expect.objectContaining({ type: 'message-metadata' }),
    ])
  })

  it('of a tool that is always allowed is approved automatically', async () => {
    const input = buildInput(
      scriptedModel(writeCall, ({ onText }) => {
        onText('Sent.')
        return { text: 'Sent.' }
      }),
      { isAllowed: () => true },
    )
    expect(await generateReply(input)).toEqual({ status: 'done' })
    expect(
      read(input.events)
        .slice(3, 7)
        .map(({ type }) => type),
    ).toEqual([
      'tool-input-available',
      'tool-approval-request',
      'tool-approval-response',
      'tool-output-available',
    ])
    expect(filterEvents(input.events, 'tool-approval')).toEqual([
      { type: 'tool-approval-request', approvalId: 'c', toolCallId: 'c', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'c', approved: true },
    ])
    expect(input.events.reply.usage).toMatchObject({ inputTokens: 20, outputTokens: 10, model: 'thinker' })
  })

  it('is shown up to a limit', async () => {
    const input = buildInput(
      scriptedModel(({ onToolInput, onText }) => {
        onText('Done.')
        for (let piece = 0; piece < 50; piece += 1)
          onToolInput({ id: 'c', name: 'send', delta: 'x'.repeat(1_000) })
        return { text: 'Done.' }
      }),
    )
    await generateReply(input)
    const deltas = read(input.events).map((event) =>
      event.type === 'tool-input-delta' ? event.inputTextDelta : '',
    )
    expect(deltas.join('')).toHaveLength(20_000)
  })
})

describe('sources', () => {
  const citingModel = (...urls: string[]): Model =>
    scriptedModel(({ onSource, onText }) => {
      onText('See [1].')
      for (const url of urls) onSource({ url, title: ` ${'t'.repeat(400)}` })
      return { text: 'See [1].' }
    })

  it('are numbered, each page once', async () => {
    const input = buildInput(citingModel('https://a.example/', 'https://b.example/x', 'https://a.example/'))
    await generateReply(input)
    expect(filterEvents(input.events, 'source-url')).toEqual([
      { type: 'source-url', sourceId: 'source-1', url: 'https://a.example/', title: 't'.repeat(300) },
      { type: 'source-url', sourceId: 'source-2', url: 'https://b.example/x', title: 't'.repeat(300) },
    ])
    expect(input.events.reply.sources).toHaveLength(2)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'nothing',
    `https://a/${'x'.repeat(2_000)}`,
  ])('that are not web pages are left out: %.30s', async (url) => {
    const input = buildInput(citingModel(url))
    await generateReply(input)
    expect([input.events.reply.sources, filterEvents(input.events, 'source-url')]).toEqual([[], []])
  })

  it('a search is stored with the reply although it cites nothing', async () => {
    const model = scriptedModel(({ onWebSearch, onText }) => {
      onWebSearch()
      onWebSearch()
      onText('Nothing found.')
      return { text: 'Nothing found.' }
    })
    const input = buildInput(model)
    await generateReply(input)
    expect(toUsage(input.events.reply)).toMatchObject({ webSearches: 2 })
    expect(filterEvents(input.events, 'message-metadata')[0]).toMatchObject({
      messageMetadata: { usage: { webSearches: 1 } },
    })
  })

  it('are limited in number', async () => {
    const input = buildInput(
      citingModel(...Array.from({ length: 80 }, (_, index) => `https://a.example/${index}`)),
    )
    await generateReply(input)
    expect(input.events.reply.sources).toHaveLength(maxSources)
  })
})

describe('what is written in a round', () => {
  function open({ round = 1, isOpen = false, events = new ReplyLog() } = {}) {
    const progress: { firstTokenAtMs?: number } = {}
    const onTooLong = vi.fn<() => void>()
    const from = events.position
    const writer = roundWriter({ progress, events, tools: [send], round, isOpen, onTooLong })
    return {
      ...writer,
      endParts: () => writer.endParts(),
      progress,
      onTooLong,
      events,
      written: () => events.readAfter(from).map((part) => toEvent(part, part.from)),
    }
  }

  it('begins a step once, whatever comes first, and ends its parts once', () => {
    const { beginStep, onText, onSource, endParts, written, progress } = open()
    beginStep()
    beginStep()
    expect(progress).toEqual({})
    onText('Once')
    advanceClock(100)
    onText(' u')
    onSource({ url: 'http://a.example/' })
    endParts()
    endParts()
    expect(written()).toEqual([
      { type: 'start-step' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'Once u' },
      { type: 'source-url', sourceId: 'source-1', url: 'http://a.example/' },
      { type: 'text-end', id: 'text-1' },
    ])
    expect(progress).toEqual({ firstTokenAtMs: 1_000_000 })
  })

  it('goes on with the text of an incomplete reply', () => {
    const { onText, endParts, written } = open({ isOpen: true })
    onText('pon')
    endParts()
    expect(written()).toEqual([
      { type: 'text-delta', id: 'text-1', delta: 'pon' },
      { type: 'text-end', id: 'text-1' },
    ])
  })

  it.each<[string, (writer: ReturnType<typeof open>) => void]>([
    ['a call', ({ onToolInput }) => onToolInput({ id: 'c', name: 'send', delta: '{' })],
    ['a source', ({ onSource }) => onSource({ url: 'https://a.example/' })],
    ['a search', ({ onWebSearch }) => onWebSearch()],
    ['reasoning', ({ onReasoning }) => onReasoning('Hm', 'a')],
  ])('begins its step with %s, too', (_, write) => {
    const writer = open()
    write(writer)
    expect(writer.written()[0]).toEqual({ type: 'start-step' })
    expect(writer.progress).toEqual({})
  })

  it('ends the reply at its last character, and cuts what is too much', () => {
    const { onText, onTooLong, written } = open()
    onText('x'.repeat(maxReplyCharacters - 1))
    onText('y')
    expect(onTooLong).not.toHaveBeenCalled()
    onText('z')
    expect(onTooLong).toHaveBeenCalledTimes(1)
    expect(written().at(-1)).toMatchObject({ delta: `${'x'.repeat(maxReplyCharacters - 1)}y` })
  })

  it('takes back only its own text as reasoning, and begins another one', () => {
    const { onText, onTextWasReasoning, written, events } = open({ round: 0 })
    onTextWasReasoning()
    expect(written()).toEqual([])
    onText(' Hm. ')
    onTextWasReasoning()
    onText('Done.')
    expect(written()).toEqual([
      { type: 'start-step' },
      { type: 'text-start', id: 'text-0-answer' },
      { type: 'text-delta', id: 'text-0-answer', delta: ' Hm. ' },
      { type: 'text-end', id: 'text-0-answer' },
      { type: 'data-retracted-text', data: { characters: 5 } },
      { type: 'reasoning-start', id: 'reasoning-0-0' },
      { type: 'reasoning-delta', id: 'reasoning-0-0', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'reasoning-0-0', providerMetadata: { juno: { durationMs: 0 } } },
      { type: 'text-start', id: 'text-0-answer' },
      { type: 'text-delta', id: 'text-0-answer', delta: 'Done.' },
    ])
    expect(events.reply.text).toBe('Done.')
  })

  it('has reasoning that lasts from the text before it to what follows', () => {
    const { onText, onReasoning, onToolInput, written } = open()
    onText('I look.')
    advanceClock(300)
    onReasoning('Where?', 'a')
    advanceClock(200)
    onToolInput({ id: 'c', name: 'send', delta: '' })
    advanceClock(50)
    onReasoning('And then?', 'a')
    advanceClock(50)
    onText('.')
    expect(written().filter(({ type }) => type === 'reasoning-end')).toEqual([
      { type: 'reasoning-end', id: 'reasoning-1-0', providerMetadata: { juno: { durationMs: 500 } } },
      { type: 'reasoning-end', id: 'reasoning-1-1', providerMetadata: { juno: { durationMs: 100 } } },
    ])
  })

  it('has as much reasoning as is stored in one paragraph', () => {
    const { onReasoning, events } = open()
    onReasoning('x'.repeat(maxReasoningCharacters - 1), 'a')
    onReasoning('yz', 'a')
    expect(events.reply.reasoning?.text).toBe(`${'x'.repeat(maxReasoningCharacters - 1)}y`)
    const whole = open()
    whole.onReasoning('x'.repeat(maxReasoningCharacters + 1), 'a')
    expect(whole.events.reply.reasoning?.text).toHaveLength(maxReasoningCharacters)
  })

  it('has as much reasoning as is stored: a new paragraph takes two characters', () => {
    const { onReasoning, events } = open()
    onReasoning('x'.repeat(maxReasoningCharacters - 3), 'a')
    onReasoning('yz', 'b')
    expect(events.reply.reasoning?.text).toBe(`${'x'.repeat(maxReasoningCharacters - 3)}\n\ny`)
    const { position } = events
    onReasoning('z', 'b')
    onReasoning('z', 'c')
    expect(events.position).toBe(position)
  })

  it('names a call that the model writes when its name is known, and not one that stands for another', () => {
    const { onToolInput, written } = open()
    onToolInput({ id: '', name: 'send', delta: '{' })
    onToolInput({ id: 'c', name: '', delta: '{' })
    onToolInput({ id: 'c', name: 'call_tool', delta: '{' })
    expect(written()).toEqual([])
    onToolInput({ id: 'c', name: 'unknown', delta: '{' })
    onToolInput({ id: 'd', name: 'send', delta: '{' })
    onToolInput({ id: 'c', name: 'unknown', delta: '}' })
    expect(written()).toStrictEqual([
      { type: 'start-step' },
      {
        type: 'tool-input-start',
        toolCallId: 'c',
        toolName: 'unknown',
        providerMetadata: { juno: { kind: 'other' } },
      },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{' },
      {
        type: 'tool-input-start',
        toolCallId: 'd',
        toolName: 'send',
        title: 'Send it',
        providerMetadata: { juno: { kind: 'other', title: 'Send it', integration: 'Mail' } },
      },
      { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: '{' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '}' },
    ])
  })

  it.each([
    [undefined, undefined],
    ['  ', undefined],
    [' Page ', 'Page'],
    ['t'.repeat(301), 't'.repeat(300)],
  ])('cites a page with the title %.20j as %.20j', (title, shown) => {
    const { onSource, written } = open()
    onSource({ url: 'https://a.example/', ...(title !== undefined && { title }) })
    expect(written().at(-1)).toStrictEqual({
      type: 'source-url',
      sourceId: 'source-1',
      url: 'https://a.example/',
      ...(shown !== undefined && { title: shown }),
    })
  })

  it('cites pages with addresses of 2,000 characters', () => {
    const { onSource, events } = open()
    const url = (length: number) => `https://a/${'x'.repeat(length - 10)}`
    onSource({ url: url(2_000) })
    onSource({ url: url(2_001) })
    onSource({ url: 'ftp://a/' })
    expect(events.reply.sources).toEqual([{ url: url(2_000) }])
  })

  it('counts searches beside what the reply has used so far', () => {
    const events = new ReplyLog()
    const usage = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 4, reasoningTokens: 0, images: 0 }
    events.push({ type: 'message-metadata', messageMetadata: { usage } })
    const { onWebSearch, written } = open({ events })
    onWebSearch()
    onWebSearch()
    expect(written().slice(1)).toEqual([
      { type: 'message-metadata', messageMetadata: { usage: { ...usage, webSearches: 1 } } },
      { type: 'message-metadata', messageMetadata: { usage: { ...usage, webSearches: 2 } } },
    ])
  })
})
