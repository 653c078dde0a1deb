import { expect, it } from 'vitest'
import { readToolResult } from './tool-result.ts'

const png = 'iVBORw0KGgoAAAANSUhEUg=='
const image = (mimeType: string, data = png) => [{ type: 'image', data, mimeType }]

it.each<[string, unknown, object[]]>([
  ['the protocol', { type: 'image', data: png, mimeType: 'image/png' }, image('image/png')],
  ['a data URI', { type: 'image', data: `data:image/png;base64,${png}` }, image('image/png')],
  ['no type', { type: 'image', data: png }, image('image/png')],
  ['no type, a JPEG', { type: 'image', data: '/9j/4AAQ' }, image('image/jpeg', '/9j/4AAQ')],
  ['an unknown type', { type: 'image', data: 'AAAA' }, image('application/octet-stream', 'AAAA')],
  ['a text', { type: 'text', text: ` data:image/png;base64,${png}\n` }, image('image/png')],
  ['a bare text', `data:image/png;base64,${png}`, image('image/png')],
  ['an address', { type: 'image', url: `data:image/png;base64,${png}` }, image('image/png')],
  [
    'a source',
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    image('image/png'),
  ],
  [
    'a resource',
    { type: 'resource', resource: { uri: 'a:b', blob: `data:image/png;base64,${png}` } },
    [{ type: 'resource', uri: 'a:b', blob: png }],
  ],
])('a picture is read that comes as %s', (_, block, content) => {
  expect(readToolResult({ content: [block] }).content).toEqual(content)
})

it('an address on the web, and a text about a picture, are none', () => {
  const read = (block: unknown) => readToolResult({ content: [block] }).content.map(({ type }) => type)
  expect(read({ type: 'image', url: 'https://example.com/a.png' })).toEqual(['text'])
  // agentscope-ai/agentscope-java#3052: it is no base64, whatever its letters are
  expect(read({ type: 'image', data: 'https://example.com/a.png', mimeType: 'image/png' })).toEqual(['text'])
  expect(read({ type: 'audio', data: 'file:///tmp/a.wav', mimeType: 'audio/wav' })).toEqual(['text'])
  expect(read({ type: 'resource', resource: { uri: 'a:b', blob: 'https://example.com/a' } })).toEqual([
    'text',
  ])
  expect(read({ type: 'text', text: `See data:image/png;base64,${png}` })).toEqual(['text'])
})
