import type { CallToolResult } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { formatError, formatResult } from './result.ts'

const text = (content: string) => ({ type: 'text' as const, text: content })
const base64 = (bytes: number) => 'A'.repeat((bytes * 4) / 3)
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1)

it.each<[string, CallToolResult['content'], unknown]>([
  ['a text', [text('Hello')], 'Hello'],
  ['two texts', [text('Hello'), text('Ann')], 'Hello\n\nAnn'],
  ['an object in a text', [text(' {"a":[1]}')], { a: [1] }],
  ['a list in a text', [text('[1,2]')], [1, 2]],
  ['a number in a text', [text('7')], '7'],
  ['words before an object', [text('see {"a":1}')], 'see {"a":1}'],
  ['two objects in two texts', [text('{"a":1}'), text('{"b":2}')], '{"a":1}\n\n{"b":2}'],
  ['a sound', [{ type: 'audio', data: base64(3), mimeType: 'audio/mpeg' }], '[A sound, audio/mpeg, 1 KB]'],
  [
    'a picture',
    [{ type: 'image', data: base64(30_720), mimeType: 'image/png' }],
    '[A picture, image/png, 30 KB]',
  ],
  [
    'a link with a title and words',
    [{ type: 'resource_link', uri: 'a://b', name: 'n', title: 'Minutes', description: 'Of Monday' }],
    '[Minutes: a://b] Of Monday',
  ],
  [
    'a part of a later version of the protocol',
    [{ type: 'hologram' } as unknown as CallToolResult['content'][number]],
    '[A part of a kind that is not known here.]',
  ],
])('%s is taken as the model can read it', (_, content, result) => {
  expect(formatResult({ content })).toEqual(result)
})

it('a long text is cut, and says so', () => {
  const half = text('x'.repeat(200_000))
  const fits = [half, text('x'.repeat(199_998))]
  expect(String(formatResult({ content: fits }))).toHaveLength(400_000)
  const result = String(formatResult({ content: [half, text('x'.repeat(199_999))] }))
  expect(result).toBe(
    `${'x'.repeat(200_000)}\n\n${'x'.repeat(199_998)}\n[The result was longer: the rest was not taken.]`,
  )
})

it('a structured part that is too large or too deep is left for the text', () => {
  const content = [text('the text')]
  const take = (structuredContent: Record<string, unknown>) => formatResult({ content, structuredContent })
  expect(take({ a: 1 })).toEqual({ a: 1 })
  expect(take({ a: 'x'.repeat(399_992) })).toEqual({ a: 'x'.repeat(399_992) })
  expect(take({ a: 'x'.repeat(399_993) })).toBe('the text')
  expect(take(nested(10_000) as Record<string, unknown>)).toBe('the text')
})

it('JSON that is too deep stays a text', () => {
  const deep = JSON.stringify(nested(1_000))
  expect(formatResult({ content: [text(deep)] })).toBe(deep)
})

it('a failure is reported in a few words of the server, or in ours', () => {
  expect(formatError({ content: [text('No such'), text('city')] })).toBe('No such city')
  expect(formatError({ content: [text('x'.repeat(401))] })).toBe(`${'x'.repeat(400)}…`)
  expect(formatError({ content: [] })).toBe('The tool failed, and gave no reason.')
})
