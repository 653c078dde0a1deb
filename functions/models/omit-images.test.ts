import { expect, it } from 'vitest'
import { recordedCall } from '../../test/support/recorded-call.ts'
import type { ModelCall, ModelMessage, ModelRound } from './model.ts'
import { rejectionError } from './request-errors.ts'
import { findImageLimit, hasImages, omitImages, withoutVision } from './omit-images.ts'
import { listToolImages } from './token-estimate.ts'

const note = '[The images could not be shown to you.]'
const result = (images?: { url?: string; fileId?: string }[]): ModelMessage => ({
  role: 'tool',
  tool_call_id: '1',
  content: 'drawn',
  ...(images && { images }),
})
const question = (...parts: string[]): ModelMessage => ({
  role: 'user',
  content: parts.map((part) =>
    part === 'image' ? { type: 'image_url', image_url: { url: 'data:,' } } : { type: 'text', text: part },
  ),
})

it.each<[string, ModelMessage, string[], boolean, ModelMessage]>([
  [
    'a result with images',
    result([{ url: 'a' }, { fileId: 'f' }, { url: 'b', fileId: 'g' }]),
    ['a', 'b'],
    true,
    { role: 'tool', tool_call_id: '1', content: `drawn\n\n${note}` },
  ],
  ['a result whose image is not loaded', result([{ fileId: 'f' }]), [], false, result([{ fileId: 'f' }])],
  ['a result without images', result(), [], false, result()],
  [
    'a question with images',
    question('See', 'image', 'this'),
    [],
    true,
    { role: 'user', content: `See\n\nthis\n\n${note}` },
  ],
  ['an image alone', question('image'), [], true, { role: 'user', content: note }],
  ['a question', { role: 'user', content: 'Hi' }, [], false, { role: 'user', content: 'Hi' }],
  ['an answer', { role: 'assistant', content: null }, [], false, { role: 'assistant', content: null }],
  ['instructions', { role: 'system', content: 'Hi' }, [], false, { role: 'system', content: 'Hi' }],
])('of %s the model is told what it does not see', (_, message, urls, has, sent) => {
  expect(listToolImages(message)).toEqual(urls)
  expect(hasImages(message)).toBe(has)
  expect(omitImages(message)).toStrictEqual(sent)
})

it.each([
  [question('image'), [`${note}`], ['images']],
  [question(), [note], ['images']],
  [{ role: 'user' as const, content: 'Hi' }, ['Hi'], []],
])('a model without vision gets no images, and the reply says so: %j', async (message, contents, omitted) => {
  const calls: ModelCall[] = []
  const round = { text: 'Hm' } as ModelRound
  const model = withoutVision({
    complete: async (call) => {
      calls.push(call)
      return round
    },
  })
  const omissions: string[] = []
  const { call } = recordedCall()
  expect(
    await model.complete({
      ...call,
      messages: [{ role: 'user', content: 'First' }, message],
      onOmit: (omission) => omissions.push(omission),
    }),
  ).toBe(round)
  expect(calls.map(({ messages, signal }) => [messages.map(({ content }) => content), signal])).toEqual([
    [['First', ...contents], call.signal],
  ])
  expect(omissions).toEqual(omitted)
})

it('keeps the images of a question that were not refused', () => {
  const image = (url: string) => ({ type: 'image_url' as const, image_url: { url } })
  const text = { type: 'text' as const, text: 'See' }
  const isOmitted = (url: string) => url === 'a'
  expect(
    omitImages({ role: 'user', content: [text, image('a'), image('b')] }, isOmitted, () => '1 KB'),
  ).toEqual({
    role: 'user',
    content: [text, image('b'), { type: 'text', text: '[Images that could not be shown to you: 1 KB.]' }],
  })
})

it.each([
  // https://github.com/anthropics/claude-code/issues/4778, https://github.com/anthropics/claude-code/issues/9375
  ['At least one of the image dimensions exceed max allowed size: 8000 pixels', '8000 pixels'],
  [
    'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    '2000 pixels',
  ],
  ['image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', '5 MB'],
  ['Image size 9 MB exceeds the limit of 5,5 MB', '5,5 MB'],
  ['Could not process image of 400 pixels', undefined],
])('reads the limit of images: %s', (message, limit) => {
  expect(findImageLimit(rejectionError({ status: 400, message, code: '', param: '' }, false))).toBe(limit)
})
