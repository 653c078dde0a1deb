import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { formatError, formatResult } from './result.ts'
import { collectRichContent, type RichContent } from './result-media.ts'

const buildText = (content: string) => ({ type: 'text' as const, text: content })
const buildBase64 = (bytes: number) => 'A'.repeat((bytes * 4) / 3)
const nest = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1)

it.each<[string, CallToolResult['content'], unknown]>([
  ['a text', [buildText('Hello')], 'Hello'],
  ['two texts', [buildText('Hello'), buildText('Ann')], 'Hello\n\nAnn'],
  ['an object in a text', [buildText(' {"a":[1]}')], { a: [1] }],
  ['a list in a text', [buildText('[1,2]')], [1, 2]],
  ['a number in a text', [buildText('7')], '7'],
  ['words before an object', [buildText('see {"a":1}')], 'see {"a":1}'],
  ['two objects in two texts', [buildText('{"a":1}'), buildText('{"b":2}')], '{"a":1}\n\n{"b":2}'],
  [
    'a sound',
    [{ type: 'audio', data: buildBase64(3), mimeType: 'audio/mpeg' }],
    '[A sound, audio/mpeg, 1 KB]',
  ],
  [
    'an image',
    [{ type: 'image', data: buildBase64(30_720), mimeType: 'image/png' }],
    '[An image, image/png, 30 KB]',
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
])('%s is formatted for the model', (_, content, result) => {
  expect(formatResult({ content })).toEqual(result)
})

it('a long text is cut, with a note', () => {
  const half = buildText('x'.repeat(200_000))
  const longest = [half, buildText('x'.repeat(199_998))]
  expect(String(formatResult({ content: longest }))).toHaveLength(400_000)
  const result = String(formatResult({ content: [half, buildText('x'.repeat(199_999))] }))
  expect(result).toBe(
    `${'x'.repeat(200_000)}\n\n${'x'.repeat(199_998)}\n[The result was longer: the rest was not taken.]`,
  )
})

it('a structured part that is too large or too deep is ignored in favour of the text', () => {
  const content = [buildText('the text')]
  const take = (structuredContent: Record<string, unknown>) => formatResult({ content, structuredContent })
  expect(take({ a: 1 })).toEqual({ a: 1 })
  expect(take({ a: 'x'.repeat(399_992) })).toEqual({ a: 'x'.repeat(399_992) })
  expect(take({ a: 'x'.repeat(399_993) })).toBe('the text')
  expect(take(nest(10_000) as Record<string, unknown>)).toBe('the text')
})

it('JSON that is too deep stays text', () => {
  const deepJson = JSON.stringify(nest(1_000))
  expect(formatResult({ content: [buildText(deepJson)] })).toBe(deepJson)
})

it('a failure is reported with the server’s words, shortened, or our own', () => {
  expect(formatError({ content: [buildText('No such'), buildText('city')] })).toBe('No such city')
  expect(formatError({ content: [buildText('x'.repeat(401))] })).toBe(`${'x'.repeat(400)}…`)
  expect(formatError({ content: [] })).toBe('The tool failed, and gave no reason.')
})

it('a text file is given as text, and other files by name and size', () => {
  const buildResource = (uri: string, mimeType: string, content: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, blob: Buffer.from(content, 'latin1').toString('base64') },
  })
  const content = [
    buildResource('file:///a.csv', 'text/csv', 'a,b\r\n1,2'),
    buildResource('file:///a', 'x', '\x00'),
  ]
  expect(formatResult({ content })).toBe('[file:///a.csv, text/csv]\na,b\n1,2\n\n[file:///a, x, 1 KB]')
})

/** Collects the rich content of a result. */
function collect(result: CallToolResult, title = '') {
  const rich: RichContent = { files: [], links: [] }
  collectRichContent(result, title, rich)
  return rich
}
const collectLinks = (result: CallToolResult) => collect(result).links

describe('the rich content of a result', () => {
  const buildLink = (uri: string, name = 'n', title?: string) => ({
    type: 'resource_link' as const,
    uri,
    name,
    ...(title !== undefined && { title }),
  })

  it('includes links that a user may open, with their title on one line', () => {
    expect(
      collectLinks({
        content: [
          buildText('see'),
          buildLink('https://a.example/x?y#z', 'n', 'A\u202e\ntitle'),
          buildLink('http://b.example/', 'name'),
          buildLink('https://c.example/', ''),
        ],
      }),
    ).toEqual([
      { url: 'https://a.example/x?y#z', title: 'A title' },
      { url: 'http://b.example/', title: 'name' },
      { url: 'https://c.example/', title: 'https://c.example/' },
    ])
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://a.example/1',
    'https://user:password@a.example/',
    'a relative path',
    `https://a.example/${'x'.repeat(1_000)}`,
  ])('includes no other links: %s', (uri) => {
    expect(collectLinks({ content: [buildLink(uri)] })).toEqual([])
  })

  it('includes at most five links', () => {
    const content = Array.from({ length: 6 }, (_, index) => buildLink(`https://a.example/${index}`))
    expect(collectLinks({ content })).toHaveLength(5)
  })

  it('includes its files, named after the resource or the tool', () => {
    const data = Buffer.from('abc').toString('base64')
    const buildBlob = (uri: string) => ({ type: 'resource' as const, resource: { uri, blob: data } })
    const { files } = collect(
      {
        content: [
          { type: 'image', data, mimeType: 'Image/PNG; x=y' },
          { type: 'audio', data, mimeType: 'audio/wav' },
          buildBlob('file:///reports/caf%C3%A9.csv?x'),
          buildBlob('x://%E0%A4%A'),
          buildBlob('::'),
          { type: 'resource', resource: { uri: 'file:///a.txt', text: 'goes to the model as text' } },
        ],
      },
      'Draw a chart!',
    )
    expect(files.map(({ name, declaredType }) => [name, declaredType])).toEqual([
      ['draw-a-chart', 'image/png'],
      ['draw-a-chart', 'audio/wav'],
      ['café.csv', ''],
      ['draw-a-chart', ''],
      ['::', ''],
    ])
    expect(files[0]?.bytes).toEqual(Buffer.from('abc'))
  })
})
