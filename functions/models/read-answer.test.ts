import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../test/support/recorded-call.ts'
import { ModelError, modelErrors } from './model-errors.ts'
import { parseWhole, readAnswer, type AnswerReader } from './read-answer.ts'
import { RoundBuilder } from './round-builder.ts'

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const [a, b] = [{ choices: ['a'] }, { choices: ['b'] }]

/** @param pieces of an answer, as they arrive; an error breaks it off. @param text that has arrived before. @param isEnded whether it said how */
async function read(pieces: readonly (string | Uint8Array | Error)[], text = '', isEnded = true) {
  const round = new RoundBuilder(recordedCall().call)
  round.addText(text)
  if (isEnded) round.end = 'done'
  const values: unknown[] = []
  let isClosed = false
  const reader: AnswerReader = {
    read: (value) => void values.push(value),
    readWhole: (value) => void values.push({ whole: value }),
    end: () => void values.push('end'),
    listItems: () => undefined,
  }
  async function* body() {
    try {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece
        yield typeof piece === 'string' ? Buffer.from(piece) : piece
      }
    } finally {
      isClosed = true
    }
  }
  const [isDone, error] = await readAnswer(body(), reader, round).then(
    (done) => [done, undefined] as const,
    (error: unknown) => [undefined, error as { code?: string }] as const,
  )
  expect(isClosed).toBe(true)
  return { values, isDone, error, code: error?.code, end: round.end }
}
const letter = Buffer.from(event('ü'))

describe('an answer', () => {
  it.each<[string, (string | Uint8Array)[], unknown[], isDone?: boolean]>([
    ['nothing', [], []],
    ['a blank line', ['\n'], []],
    ['a comment', [': keep-alive\n\n'], []],
    ['events', [event(a), event(b)], [a, b]],
    ['two events at once', [event(a) + event(b)], [a, b]],
    ['events after blank lines', ['\n', ` \n${event(a)}`], [a]],
    ['an event in pieces', ['d', 'ata: {"choices"', ':["a"]}\n\n'], [a]],
    ['an event without a blank line behind it', [event(a).trim()], [a]],
    ['a letter in pieces', [letter.subarray(0, 8), letter.subarray(8)], ['ü']],
    [
      'comments, names and unknown fields',
      [`: a\nfoo: {"a":1}\nevent: x\nid: 1\nretry: 5\n${event(a)}`],
      [a],
    ],
    ['the end of the stream', [event(a), 'data: [DONE]\n\n'], [a], true],
    ['the end with blanks', ['data:   [DONE] \n\n'], [], true],
    ['blank data', ['data: \ndata: \n\n', event(a)], [a]],
    ['a tag at the beginning of a piece', ['data: {"a":"', '<p>"}\n\n'], [{ a: '<p>' }]],
    ['a whole answer', [JSON.stringify(a)], [{ whole: a }], true],
    ['a whole answer in a list', [JSON.stringify([a])], [[a]], true],
    ['a whole answer in pieces, behind blanks', ['\n', ' {"choices":', '\n["a"]}\n'], [{ whole: a }], true],
    [
      'a whole answer whose text looks like an event',
      ['{"text":\n"x\\ndata: {}"}'],
      [{ whole: { text: 'x\ndata: {}' } }],
      true,
    ],
    // https://github.com/ggml-org/llama.cpp/issues/20198
    [
      'an object to a line, with others between',
      [`${JSON.stringify(a)}\n{oops\n\n`, JSON.stringify(b)],
      [a, b],
    ],
  ])('is read: %s', async (_, pieces, values, isDone = false) => {
    expect(await read(pieces)).toMatchObject({ values: [...values, 'end'], isDone, error: undefined })
  })

  it('is complete however its connection ends', async () => {
    expect(await read([event(a), 'data: [DONE]\n\n', new Error('lost')])).toMatchObject({
      values: [a, 'end'],
      isDone: true,
    })
  })

  // https://github.com/ayunis-core/ayunis-core/pull/885
  it.each([new Error('lost'), new ModelError(modelErrors.silent, 'no byte')])(
    'has what it has if its connection ends behind its reason: %s',
    async (lost) => {
      expect(await read([event(a), lost])).toMatchObject({ values: [a, 'end'], isDone: false })
      expect(await read([event(a), lost], '', false)).toMatchObject({ error: lost })
    },
  )

  it('is complete if its reader knows so', async () => {
    const round = new RoundBuilder(recordedCall().call)
    const reader = { read: () => undefined, readWhole: () => undefined, listItems: () => undefined }
    const answer = () => ReadableStream.from([Buffer.from(event(a))])
    expect(await readAnswer(answer(), { ...reader, isDone: true }, round)).toBe(true)
    expect(await readAnswer(answer(), { ...reader, isDone: false }, round)).toBe(false)
  })
})

describe('what cannot be read', () => {
  const oops = 'data: {oops\n\n'

  it.each([[[oops]], [['{oops']], [['{oops\n[']], [[oops, 'data:  \n\n']]])(
    'is an error if there was no text: %j',
    async (pieces) => {
      expect(await read(pieces)).toMatchObject({ code: 'model_unreadable' })
    },
  )

  it('may be missing from a text, which is then not complete', async () => {
    expect(await read([event(a), oops, event(b)], 'Hi')).toMatchObject({
      values: [a, b, 'end'],
      error: undefined,
      end: 'unknown',
    })
    expect(await read([event(a), 'data:  \n\n'], 'Hi')).toMatchObject({ end: 'done' })
  })
})

describe('a failure', () => {
  it.each([
    'hello',
    'null',
    '3',
    '[]',
    '{}',
    '{"message":"hello"}',
    '{"error":null}',
    'x data: {}',
    'datadata: {}',
    '{"a":1}\n{"choices":[]}',
    ' <p>',
    'x'.repeat(5_000),
  ])('is an answer that has the form of no API: %.20s', async (text) => {
    expect(await read([text])).toMatchObject({ code: 'model_server_missing' })
  })

  it.each<[string, string, string]>([
    ['in an event', event({ error: { message: 'Overloaded' } }), 'model_busy'],
    ['as an event', 'event: error\ndata: {"message":"Overloaded"}\n\n', 'model_busy'],
    ['as an event of words', 'event: error\ndata: overloaded\n\n', 'model_busy'],
    // https://github.com/ggml-org/llama.cpp/issues/14566
    ['as a line', 'error: {"code":429}\n\n', 'model_busy'],
    ['as a line of words', 'error: out of memory\n\n', 'model_out_of_memory'],
  ])('comes after what was before it, and ends the answer: %s', async (_, piece, code) => {
    const { values, code: seen } = await read([event(a), piece, event(b)])
    expect([values[0], seen]).toEqual([a, code])
    expect(values).not.toContainEqual(b)
    expect(await read([event(a), piece], 'Hi')).toMatchObject({ code: 'model_cut' })
  })

  it('is an error in place of an answer', async () => {
    const error = { message: 'The model `m` does not exist', code: 'model_not_found' }
    expect(await read([JSON.stringify({ error })])).toMatchObject({ code: 'model_unknown' })
    expect(await read([`${JSON.stringify([{ error }])}\n`])).toMatchObject({ code: 'model_unknown' })
  })
})

it.each(['choices', 'output', 'content', 'data', 'text', 'type', 'object'])(
  'a whole answer has %s',
  (field) => {
    expect(parseWhole(`{"${field}":[]}`)).toEqual({ values: [{ [field]: [] }], isOne: true })
    expect(parseWhole(`{"${field}":[],"error":null}`).isOne).toBe(true)
  },
)
