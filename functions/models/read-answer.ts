import { createParser } from 'eventsource-parser'
import { parseJson } from '#shared/parse-json.ts'
import { isRecord, toFields, type Fields } from './fields.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import type { Answer } from './model.ts'
import { rejectionError } from './request-errors.ts'
import type { RoundBuilder } from './round-builder.ts'
import { isRejection, readRejection } from './server-rejection.ts'

/** Reads what one API answers with into a round. Fields of the answer are not validated. */
export interface AnswerReader {
  /** @param value the data of an event; an error is read, too, for what comes with it */
  read(value: unknown): void
  /** Reads an answer that is no stream, though one was asked for: https://github.com/huggingface/chat-ui/issues/430. */
  readWhole(answer: Fields): void
  /** Called at the end of the stream. */
  end?(): void
  /** whether the answer said so itself that it is complete */
  readonly isDone?: boolean
  /**
   * The answer as the server gave it. To be called at the end of the stream.
   * @returns undefined if text and calls are all of it, or not all of them are in it
   */
  listItems(): Answer['items'] | undefined
}

/** How a stream of events begins, `error` as llama.cpp writes it: https://github.com/ggml-org/llama.cpp/issues/14566. */
const eventStart = /^\s*(data|event|id|retry|error)?:/
const mayBecomeEvent = /^\s*[a-z]{0,5}$/

/** Fields of the answers of all APIs, one of which each of them has: texts, calls, images, transcriptions, lists. */
const answerFields = ['choices', 'output', 'content', 'data', 'text', 'type', 'object']

/**
 * Parses an answer that is no stream of events: JSON, or an object to a line.
 * @throws ModelError for an error in it, and for what is no answer of a model
 */
export function parseWhole(text: string): { values: unknown[]; isOne: boolean } {
  const whole = parseJson(text)
  const values = whole === undefined ? text.split('\n').flatMap((line) => parseJson(line) ?? []) : [whole]
  if (values.length === 0 && /^\s*[{[]/.test(text))
    throw new ModelError(modelErrors.unreadable, 'an answer that is not JSON')
  if (isRejection(values[0])) throw rejectionError(readRejection(values[0], { status: undefined }), false)
  const first: unknown = Array.isArray(values[0]) ? values[0][0] : values[0]
  if (!answerFields.some((name) => name in toFields(first)))
    throw new ModelError(modelErrors.notModelServer, 'the answer has the form of no API')
  return { values, isOne: whole !== undefined }
}

/**
 * Reads an answer, whatever it is: events with comments, names and errors between them, one JSON object, or lines of JSON. What cannot be
 * read of it is left out.
 * @returns whether it says that it is complete
 * @throws ModelError for an error in the answer, and if nothing of it can be read
 */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  reader: AnswerReader,
  round: RoundBuilder,
): Promise<boolean> {
  let start = ''
  let isEvents: boolean | undefined
  let isUnreadable = false
  let isDone = false

  function fail(error: unknown): never {
    throw rejectionError(readRejection(error, { status: undefined }), round.hasStarted)
  }
  function read(value: unknown, name?: string): void {
    reader.read(value)
    if (name === 'error' || isRejection(value)) fail(value)
  }
  const parser = createParser({
    onEvent({ data, event }) {
      const value = parseJson(data)
      if (data.trim() === '[DONE]') isDone = true
      else if (value !== undefined || event === 'error') read(value ?? data, event)
      else isUnreadable ||= data.trim() !== ''
    },
    onError({ field, value }) {
      if (field === 'error' && value !== undefined) fail(parseJson(value) ?? value)
    },
  })

  function add(text: string): void {
    if (isEvents) return parser.feed(text)
    start += text
    isEvents ??= eventStart.test(start) ? true : mayBecomeEvent.test(start) ? undefined : false
    if (isEvents) parser.feed(start)
  }

  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) add(decoder.decode(bytes, { stream: true }))
    add(decoder.decode())
  } catch (error) {
    // how the connection of an answer ends does not matter once the answer has: without its mark of the end if that is all that is missing
    const isLost = !(error instanceof ModelError) || error.code === modelErrors.silent.code
    if (!isDone && reader.isDone !== true && !(isLost && round.end !== undefined)) throw error
  }
  // some servers end without the empty line after the last event
  if (isEvents) parser.feed('\n\n')
  else if (start.trim() !== '') {
    const { values, isOne } = parseWhole(start)
    // nothing is missing of one that could be parsed
    isDone ||= isOne
    for (const value of values)
      if (isOne && isRecord(value)) reader.readWhole(value)
      else read(value)
  }
  reader.end?.()
  if (isUnreadable && !round.hasStarted) throw new ModelError(modelErrors.unreadable, 'not JSON')
  // what could not be read may be missing
  if (isUnreadable && round.end === 'done') round.end = 'unknown'
  return isDone || reader.isDone === true
}
