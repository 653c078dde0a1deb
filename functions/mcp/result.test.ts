import { describe, expect, it } from 'vitest'
import { formatError, formatFurtherText, formatResult as formatRead } from './result.ts'
import { collectRichContent, type RichContent } from './result-media.ts'
import { describeOddities, readToolResult } from './tool-result.ts'

const pngStart = 'iVBORw0KGgo='

const formatResult = (result: object) => formatRead(readToolResult(result))

const buildText = (content: string) => ({ type: 'text' as const, text: content })
const buildBase64 = (bytes: number) => 'A'.repeat((bytes * 4) / 3)
const nest = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1)

it.each<[string, object[], unknown]>([
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
    [{ type: 'hologram', size: 3 }],
    { type: 'hologram', size: 3 },
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

const text = (content: string) => [buildText(content)]
const file = { uri: 'file:///a.txt', text: 'one\ntwo' }
/** `undefined`: the text says what the structured content has, or there is none. */
it.each<[string, unknown, object[], string | undefined]>([
  // the file itself, beside its name: https://github.com/NousResearch/hermes-agent/pull/7118
  ['another text', { fileName: 'a.txt' }, text('one\ntwo'), 'one\ntwo'],
  [
    'the text of a resource',
    { fileName: 'a.txt' },
    [{ type: 'resource', resource: file }],
    '[file:///a.txt, unknown type]\none\ntwo',
  ],
  ['a link', { count: 1 }, [{ type: 'resource_link', uri: 'a://b', name: 'n' }], '[n: a://b]'],
  ['an object of its own', { a: 1 }, text('{"b":2}'), '{"b":2}'],
  [
    'two texts, one of which is the structured content',
    { a: 1 },
    [...text('{"a":1}'), ...text('Next: b')],
    'Next: b',
  ],
  ['a number that is written otherwise', { n: 1 }, text('{"n":1.0}'), '{"n":1.0}'],
  ['the structured content', { a: [1, { b: null }] }, text(' { "a": [1, {"b": null}] } '), undefined],
  ['it in another order of its fields', { a: 1, b: 2 }, text('{"b":2,"a":1}'), undefined],
  // FastMCP wraps what is no object: https://gofastmcp.com/servers/tools#structured-output
  ['the text in it', { result: 'Sunny' }, text('Sunny'), undefined],
  ['the number in it', { result: 7 }, text('7'), undefined],
  ['the list in it', { result: [1, 2] }, text('[1,2]'), undefined],
  ['each entry of its list', { result: [{ a: 1 }, 'b'] }, [...text('{"a":1}'), ...text('b')], undefined],
  ['a link in it', { page: 'a://b' }, [{ type: 'resource_link', uri: 'a://b', name: 'n' }], undefined],
  [
    'a picture, which is a file',
    { a: 1 },
    [{ type: 'image', data: pngStart, mimeType: 'image/png' }],
    undefined,
  ],
  ['a blank text', { a: 1 }, text(' \u200b'), undefined],
  ['a text alone', null, text('one'), undefined],
])(
  'what a result has besides its structured content is not lost: %s',
  (_, structuredContent, content, further) => {
    expect(formatFurtherText(readToolResult({ content, structuredContent }))).toBe(further)
  },
)

it('what comes besides structured content is cut as any text', () => {
  const further = formatFurtherText(
    readToolResult({ content: text('x'.repeat(500_000)), structuredContent: {} }),
  )
  expect(further?.length).toBeLessThan(400_100)
})

// the words and the details of a compiler: https://github.com/NousResearch/hermes-agent/issues/101330
it.each<[string, unknown, object[], string]>([
  ['both', { row: 121 }, text('Not compiled'), 'Not compiled {"row":121}'],
  [
    'the words that are among the details',
    { error: 'No city', row: 1 },
    text('No city'),
    'No city {"error":"No city","row":1}',
  ],
  ['no details', {}, text('No city'), 'No city'],
  ['details that are the words', { error: 'No city' }, text('Error: No city.'), 'Error: No city.'],
  [
    'details that are written as the words',
    { row: 1, a: 'b' },
    text('{"row":1,"a":"b"}'),
    '{"row":1,"a":"b"}',
  ],
])('a failure is reported with its words and its details: %s', (_, structuredContent, content, message) => {
  expect(formatError(readToolResult({ content, structuredContent, isError: true }))).toBe(message)
})

it('JSON that is too deep stays text', () => {
  const deepJson = JSON.stringify(nest(1_000))
  expect(formatResult({ content: [buildText(deepJson)] })).toBe(deepJson)
})

it('a failure is reported with the server’s words, shortened, or our own', () => {
  expect(formatError({ content: [buildText('No such'), buildText('city')] })).toBe('No such city')
  expect(formatError({ content: [buildText('x'.repeat(2_001))] })).toBe(`${'x'.repeat(2_000)}…`)
  expect(formatError({ content: [] })).toBe('The tool failed, and gave no reason.')
  expect(formatError({ content: [], structuredContent: { error: 'No such city' } })).toBe(
    '{"error":"No such city"}',
  )
})

it('a text file is given as text, and other files by name and size', () => {
  const buildResource = (uri: string, mimeType: string, content: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, blob: Buffer.from(content, 'latin1').toString('base64') },
  })
  const content = [
    buildResource('file:///a.csv', 'text/csv', 'a,b\r\n1,2'),
    buildResource('file:///a', 'x', '\x00'),
    buildResource('file:///a', 'text/plain', '%PDF-1.4 plain'),
  ]
  expect(formatResult({ content })).toBe(
    '[file:///a.csv, text/csv]\na,b\n1,2\n\n[file:///a, x, 1 KB]\n\n[file:///a, text/plain, 1 KB]',
  )
})

/** Collects the rich content of a result. */
function collect(result: object, title = '') {
  const rich: RichContent = { files: [], links: [] }
  collectRichContent(readToolResult(result), title, rich)
  return rich
}
const collectLinks = (result: object) => collect(result).links

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

// modelcontextprotocol/servers#4044: its server of files sends any other than pictures and sounds so
it.each<[string, object, string]>([
  ['blob', { type: 'blob', data: 'JVBERi0xAAE=', mimeType: 'application/pdf' }, 'read-a-file'],
  [
    'document',
    { type: 'document', source: { media_type: 'application/pdf', data: 'JVBERi0xAAE=' } },
    'read-a-file',
  ],
  ['file', { type: 'file', name: 'a.pdf', data: 'data:application/pdf;base64,JVBERi0xAAE=' }, 'a.pdf'],
])('a file is read that comes as a part of the kind "%s"', (kind, block, name) => {
  const result = { content: [buildText('Here it is'), block] }
  const { files, oddities } = collect(result, 'Read a file')
  expect(files).toEqual([{ name, declaredType: 'application/pdf', bytes: Buffer.from('%PDF-1\0\u0001') }])
  expect(oddities).toContain(`a part of the unknown kind "${kind}"`)
  expect(formatResult(result)).toBe(
    `Here it is\n\n[${name === 'a.pdf' ? 'a.pdf, ' : ''}application/pdf, 1 KB]`,
  )
})

it.each([
  { type: 'chart', data: 'a,b', mimeType: 'text/csv' },
  { type: 'chart', data: 'abcd' },
  { type: 'chart', data: 'abcd', mimeType: 'text/plain' },
  { type: 'chart', data: 'https://example.com/a', mimeType: 'application/pdf' },
  { type: 'chart', data: '', mimeType: 'application/pdf' },
])('an unknown part without the base64 of a file is shown as it is: %j', (block) => {
  expect(collect({ content: [block] }).files).toEqual([])
  expect(formatResult({ content: [block] })).toEqual(block)
})

const created = { type: 'text', text: 'ticket 1 created' }
/** The protocol's own rules are those of https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolresult */
it.each<[string, unknown, unknown, string[]]>([
  // null is no value of any of these fields; Go and .NET servers write it for empty ones
  ['null annotations', { content: [{ ...created, annotations: null }] }, 'ticket 1 created', []],
  ['null _meta', { content: [{ ...created, _meta: null }], _meta: null }, 'ticket 1 created', []],
  ['null isError', { content: [created], isError: null }, 'ticket 1 created', []],
  ['null structuredContent', { content: [created], structuredContent: null }, 'ticket 1 created', []],
  ['a priority above 1', { content: [{ ...created, annotations: { priority: 5 } }] }, 'ticket 1 created', []],
  ['null content', { content: null, structuredContent: { id: 1 } }, { id: 1 }, []],
  ['no content', {}, '', []],
  ['a null part', { content: [null, created] }, 'ticket 1 created', []],
  ['a link without a name', { content: [{ type: 'resource_link', uri: 'a://b' }] }, '[a://b: a://b]', []],
  [
    'a data URI as data',
    { content: [{ type: 'image', data: `data:image/png;base64,${pngStart}` }] },
    '[An image, image/png, 1 KB]',
    [],
  ],
  ['a text as content', { content: 'ticket 1 created' }, 'ticket 1 created', ['content that is no list']],
  ['a text as a part', { content: ['ticket 1 created'] }, 'ticket 1 created', []],
  ['a text as the result', 'ticket 1 created', 'ticket 1 created', ['a result that is no object']],
  ['null as the result', null, '', []],
  [
    'a result of another shape',
    { ticket: 1, _meta: { a: 1 } },
    { ticket: 1, _meta: { a: 1 } },
    ['a result without content'],
  ],
  [
    'an unknown kind beside a text',
    { content: [created, { type: 'chart', data: {} }] },
    'ticket 1 created\n\n{"type":"chart","data":{}}',
    ['a part of the unknown kind "chart"'],
  ],
  [
    'a text part without its text',
    { content: [created, { type: 'text', text: null }] },
    'ticket 1 created\n\n{"type":"text","text":null}',
    ['a text part whose text is no text'],
  ],
  [
    'an image without data',
    { content: [created, { type: 'image' }] },
    'ticket 1 created\n\n{"type":"image"}',
    ['a part of the kind "image" without data'],
  ],
  [
    'a resource without content',
    { content: [created, { type: 'resource', resource: { uri: 'a://b' } }] },
    'ticket 1 created\n\n{"type":"resource","resource":{"uri":"a://b"}}',
    ['a resource without content'],
  ],
  [
    'isError that is no boolean',
    { content: [created], isError: 0 },
    'ticket 1 created',
    ['isError is no boolean'],
  ],
])(
  '%s costs nothing of the rest of a result, and is named where it hides something',
  (_, raw, data, oddities) => {
    const result = readToolResult(raw)
    expect(formatRead(result)).toEqual(data)
    expect(result.oddities).toEqual(oddities)
    const description = describeOddities(result) ?? ''
    for (const oddity of oddities) expect(description).toContain(oddity)
    expect(description === '').toBe(oddities.length === 0)
  },
)

it('a result of many odd parts names ten kinds of them', () => {
  const content = Array.from({ length: 30 }, (_, index) => ({ type: `kind-${index}` }))
  expect(readToolResult({ content }).oddities).toHaveLength(10)
})
