import { expect, it } from 'vitest'
import type { ModelCall, ModelMessage } from './model.ts'
import { rejectionError } from './model-errors.ts'
import { findRejection, isLasting, reduceCall, type Rejection } from './rejections.ts'

const callWith = (...messages: ModelMessage[]): ModelCall => ({
  messages: [{ role: 'user', content: 'Hi' }, ...messages],
  tools: [],
  signal: new AbortController().signal,
  onText: () => undefined,
  onOmit: () => undefined,
})
const thought: ModelMessage = {
  role: 'assistant',
  content: 'Yes.',
  reasoning: [
    { api: 'responses', model: 'm', item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' } },
  ],
}
const refuse = (message: string, { status = 400, param = '' } = {}) =>
  rejectionError({ status, message, code: '', param }, false)

it.each([
  "Item with id 'rs_1' not found.",
  'The encrypted content for item rs_1 could not be verified.',
  "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.",
])('reasoning that a server does not take back goes first, and only where some was sent: %s', (message) => {
  const find = (call: ModelCall, without: Rejection[] = []) =>
    findRejection(refuse(message), { api: 'responses', isAuto: false, call, without: new Set(without) })
  expect(find(callWith(thought))).toBe('encrypted')
  expect(find(callWith(thought), ['encrypted'])).not.toBe('encrypted')
  expect(find(callWith())).not.toBe('encrypted')
  const { reduced } = reduceCall(callWith(thought), new Set(['encrypted']), 'responses')
  expect(reduced.messages.at(-1)).toEqual({ role: 'assistant', content: 'Yes.' })
  expect(isLasting('encrypted', refuse(message))).toBe(false)
})

it.each([
  ['Unsupported parameter.', 'reasoning.effort'],
  ['Not supported with this model.', 'include'],
  ['Encrypted content is not supported with this model.', ''],
])('a model that does not reason gets no reasoning parameters: %s %s', (message, param) => {
  const find = (call: ModelCall) =>
    findRejection(refuse(message, { param }), { api: 'responses', isAuto: false, call, without: new Set() })
  expect(find(callWith())).toBe('reasoning')
  // what the user chose is not left out in silence
  expect(find({ ...callWith(), effort: 'high' })).not.toBe('reasoning')
})
