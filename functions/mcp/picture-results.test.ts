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
  expect(read({ type: 'text', text: `See data:image/png;base64,${png}` })).toEqual(['text'])
})
