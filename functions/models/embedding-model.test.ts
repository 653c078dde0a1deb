import { expect, it } from 'vitest'
import { openWholeModel } from '../../test/support/whole-model.ts'
import { openEmbeddingModel } from './embedding-model.ts'

const openModel = async (status: number, body: unknown, name = 'embedder') => {
  const { requests, settings } = await openWholeModel(status, body)
  const model = openEmbeddingModel({ ...settings, model: name })
  const embedAs = (role: 'query' | 'passage', ...texts: string[]) =>
    model.embed(texts, role, new AbortController().signal)
  return { requests, embedAs, embed: (...texts: string[]) => embedAs('query', ...texts) }
}
const base64 = (...numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString('base64')
const toLists = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector])

it('asks for all texts by one request', async () => {
  const { requests, embed } = await openModel(200, {
    data: [{ embedding: [1, 0] }, { embedding: [0, 1] }],
    usage: { prompt_tokens: 7 },
  })
  expect((await embed('a', 'b')).tokens).toBe(7)
  expect(requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ model: 'embedder', input: ['a', 'b'] })
})

it.each<[model: string, query: string, passage: string]>([
  ['intfloat/multilingual-e5-small', 'query: a', 'passage: a'],
  ['e5-base-v2', 'query: a', 'passage: a'],
  ['nomic-embed-text:latest', 'search_query: a', 'search_document: a'],
  ['intfloat/multilingual-e5-large-instruct', 'a', 'a'],
  ['text-embedding-3-small', 'a', 'a'],
  ['bge-m3', 'a', 'a'],
])('writes before a text what %s was trained with', async (name, query, passage) => {
  const { requests, embedAs } = await openModel(200, { data: [{ embedding: [1, 0] }] }, name)
  await embedAs('query', 'a')
  await embedAs('passage', 'a')
  const sent = requests.map(({ body }) => (JSON.parse(body) as { input: string[] }).input)
  expect(sent).toEqual([[query], [passage]])
})

it.each<[server: string, data: readonly object[]]>([
  ['floats', [{ embedding: [0.5, 1] }, { embedding: [2, -1] }]],
  ['base64', [{ embedding: base64(0.5, 1) }, { embedding: base64(2, -1) }]],
  [
    'another order',
    [
      { index: 1, embedding: [2, -1] },
      { index: 0, embedding: [0.5, 1] },
    ],
  ],
])('reads embeddings of a server that sends %s', async (_, data) => {
  const { embed } = await openModel(200, { data })
  expect(toLists((await embed('a', 'b')).vectors)).toEqual([
    [0.5, 1],
    [2, -1],
  ])
})

it.each<[what: string, body: unknown]>([
  ['another form', { data: 'x' }],
  ['too few', { data: [{ embedding: [1] }] }],
  [
    'one of them twice',
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
  ],
  ['different lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
  ['empty ones', { data: [{ embedding: [] }, { embedding: [] }] }],
  ['what is no number', { data: [{ embedding: base64(Number.NaN) }, { embedding: base64(1) }] }],
])('takes no answer with %s', async (_, body) => {
  const { embed } = await openModel(200, body)
  await expect(embed('a', 'b')).rejects.toMatchObject({ code: 'model_unreadable' })
})

it('counts the tokens itself where the server does not', async () => {
  const { embed } = await openModel(200, { data: [{ embedding: [1] }], usage: { prompt_tokens: -4 } })
  expect((await embed('abcdef')).tokens).toBe(2)
})
