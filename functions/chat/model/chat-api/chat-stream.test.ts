import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../../test/support/recorded-call.ts'
import { ModelError } from '../model-errors.ts'
import { RoundBuilder } from '../round-builder.ts'
import { ChatChunks, ChatFailure } from './chat-chunks.ts'
import { toLibraryStream } from './chat-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const says = (content: string, more: object = {}) => ({ choices: [{ delta: { content }, ...more }] })
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] }

function open(body: ReadableStream<Uint8Array>) {
  const { call } = recordedCall()
  const round = new RoundBuilder({
    ...call,
    tools: ['find', 'find_all'].map((name) => ({ type: 'function', function: { name } })),
  })
  const chunks = new ChatChunks(round, call)
  const failures: unknown[] = []
  const stream = toLibraryStream(body, { chunks, round, onFailure: (reason) => failures.push(reason) })
  return { stream, round, chunks, failures }
}

/**
 * Converts an answer.
 * @param pieces of its body, as they arrive; an error breaks it off
 * @param text that the round has had before
 */
async function convert(pieces: (string | Uint8Array | Error)[], text = '') {
  const left = [...pieces]
  const { stream, round, chunks, failures } = open(
    new ReadableStream({
      pull(controller) {
        const piece = left.shift()
        if (piece === undefined) controller.close()
        else if (piece instanceof Error) controller.error(piece)
        else controller.enqueue(typeof piece === 'string' ? encode(piece) : piece)
      },
    }),
  )
  round.addText(text)
  const sent = await new Response(stream).text()
  expect(sent).toMatch(/^(data: .*\n\n)+$/)
  const events = sent.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice(6)) as unknown)
  // the library needs an end in any case
  expect(events?.at(-1)).toEqual(stop)
  return { events: events?.slice(0, -1), failures, isDone: chunks.isDone, end: round.end }
}

describe('an answer', () => {
  it.each<[string, (string | Uint8Array)[], object]>([
    ['nothing', [], { events: [], isDone: false }],
    ['a blank line', ['\n'], { events: [], isDone: false }],
    ['events', [event(says('a')), event(says('b'))], { events: [says('a'), says('b')], isDone: false }],
    ['two events at once', [event(says('a')) + event(says('b'))], { events: [says('a'), says('b')] }],
    ['events after a blank line', ['\n', ` \n${event(says('a'))}`], { events: [says('a')] }],
    [
      'an event in pieces',
      ['d', 'ata: {"choices":[{"delta":', '{"content":"a"}}]}\n\n'],
      { events: [says('a')] },
    ],
    ['an event without a blank line behind it', [event(says('a')).trim()], { events: [says('a')] }],
    [
      'a letter in pieces',
      [encode(event(says('ü'))).slice(0, -8), encode(event(says('ü'))).slice(-8)],
      { events: [says('ü')] },
    ],
    [
      'comments, names and unknown fields',
      [`: a\nfoo: {"a":1}\nevent: x\n${event(says('a'))}`],
      { events: [says('a')] },
    ],
    ['chunks without text', [event({ choices: [] }), event(says('a'))], { events: [says('a')] }],
    ['the end of the stream', ['data: [DONE]\n\n'], { events: [], isDone: true }],
    ['the end with blanks', ['data:   [DONE] \n\n'], { events: [], isDone: true }],
    ['blank data', ['data: \ndata: \n\n', event(says('a'))], { events: [says('a')] }],
    [
      'the reason of its end',
      [event(says('a', { finish_reason: 'length' }))],
      { events: [says('a')], end: 'length' },
    ],
    [
      'a tag at the beginning of a piece',
      ['data: {"choices":[{"delta":{"content":"', '<p>"}}]}\n\n'],
      { events: [says('<p>')] },
    ],
    ['a whole answer', [JSON.stringify(says('a'))], { events: [says('a')], isDone: true }],
    ['a whole answer in a list', [JSON.stringify([says('a')])], { events: [says('a')], isDone: true }],
    [
      'a whole answer in pieces, behind blanks',
      ['\n', ' {"choices":[{"delta":', '\n{"content":"a"}}]}\n'],
      { events: [says('a')], isDone: true },
    ],
    [
      'a whole answer whose text looks like an event',
      [JSON.stringify(says('data: {"a":1}'), undefined, 2)],
      { events: [says('data: {"a":1}')], isDone: true },
    ],
    // https://github.com/ggml-org/llama.cpp/issues/20198
    [
      'an object to a line, with others between',
      [`${JSON.stringify(says('a'))}\n{oops\n\n`, JSON.stringify(says('b'))],
      { events: [says('a'), says('b')], isDone: false },
    ],
  ])('is read: %s', async (_, pieces, expected) => {
    expect(await convert(pieces)).toMatchObject({ failures: [], ...expected })
  })

  it('has a call that waited for the rest of its name', async () => {
    const call = { index: 0, id: 'a', function: { name: 'find', arguments: '' } }
    const { events } = await convert([event({ choices: [{ delta: { tool_calls: [call] } }] })])
    expect(events).toEqual([{ choices: [{ delta: { tool_calls: [call] } }] }])
  })

  it('is passed on before it is complete', async () => {
    const { stream } = open(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(encode(event({ choices: [] })))
          controller.enqueue(encode(event(says('a'))))
        },
      }),
    )
    const { value } = await stream.getReader().read()
    expect(Buffer.from(value ?? []).toString()).toBe(event(says('a')))
  })

  it('is read no further when nobody wants the rest', async () => {
    const cancelled: unknown[] = []
    const { stream, failures } = open(new ReadableStream({ cancel: (reason) => void cancelled.push(reason) }))
    await stream.cancel('stopped')
    expect(cancelled).toEqual(['stopped'])
    expect(failures).toEqual([])
  })
})

describe('what cannot be read', () => {
  const oops = 'data: {oops\n\n'

  it.each([[[oops]], [['{oops']], [['{oops\n[']], [[oops, 'data:  \n\n']]])(
    'is an error if there was no text: %j',
    async (pieces) => {
      const { events, failures, isDone } = await convert(pieces)
      expect(events).toEqual([])
      expect(failures).toEqual([expect.objectContaining({ code: 'model_unreadable' })])
      expect(isDone).toBe(false)
    },
  )

  it.each([
    ['stop', 'unknown'],
    ['length', 'length'],
    ['', undefined],
  ])('may be missing from a text with the end "%s", which is then %s', async (reason, end) => {
    const pieces = [event(says('a')), oops, event(says('b', { finish_reason: reason }))]
    expect(await convert(pieces, 'a')).toMatchObject({ events: [says('a'), says('b')], failures: [], end })
  })

  it('leaves the end of a text without it', async () => {
    const pieces = [event(says('a', { finish_reason: 'stop' })), 'data:  \n\n']
    expect(await convert(pieces, 'a')).toMatchObject({ failures: [], end: 'done' })
  })
})

describe('a failure', () => {
  it.each(['<html>', '\n <!doctype html>', '<'])('is a page: %j', async (page) => {
    const { failures } = await convert([page])
    expect(failures).toEqual([expect.any(ModelError)])
    expect(failures).toMatchObject([{ code: 'model_server_missing' }])
  })

  it.each<[string, string, unknown]>([
    ['in an event', event({ error: { message: 'x' } }), { error: { message: 'x' } }],
    ['as an event', 'event: error\ndata: {"message":"x"}\n\n', { message: 'x' }],
    ['as an event of words', 'event: error\ndata: overloaded\n\n', 'overloaded'],
    // https://github.com/ggml-org/llama.cpp/issues/14566
    ['as a line', 'error: {"code":500}\n\n', { code: 500 }],
    ['as a line of words', 'error: out of memory\n\n', 'out of memory'],
  ])('comes after the text before it: %s', async (_, piece, body) => {
    const { events, failures } = await convert([event(says('a')), piece, event(says('b'))])
    expect(events).toEqual([says('a')])
    expect(failures).toEqual([expect.any(ChatFailure)])
    expect(failures).toMatchObject([{ body }])
  })

  it('comes after the text that comes with it', async () => {
    const { events, failures } = await convert([event({ ...says('a'), error: 'x' })])
    expect(events).toEqual([says('a')])
    expect(failures).toHaveLength(1)
  })

  it('is a connection that breaks off, after what has arrived', async () => {
    const lost = new Error('lost')
    const { events, failures } = await convert([event(says('a')), lost])
    expect(events).toEqual([says('a')])
    expect(failures).toEqual([lost])
  })

  it('ends the answer of the server', async () => {
    let cancelled = 0
    const { stream } = open(
      new ReadableStream({
        start: (controller) => controller.enqueue(encode(event({ error: 'x' }))),
        cancel: () => void (cancelled += 1),
      }),
    )
    expect(await new Response(stream).text()).toBe(event(stop))
    expect(cancelled).toBe(1)
  })
})
