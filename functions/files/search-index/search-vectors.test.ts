import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { indexKey, textKey, vectorsKey } from '../file-links.ts'
import { buildIndex } from './build-index.ts'
import { searchFiles } from './search-files.ts'
import { decodeVectors, encodeVectors, listWindows, quantise, splitWindows } from './vectors-format.ts'

/** What a text is about, as a model of three dimensions tells it. */
const toVector = (text: string) =>
  Float32Array.from([
    Number(/salary|paid/.test(text)),
    Number(/lease|rent/.test(text)),
    0.1 + Number(/pump/.test(text)),
  ])

function makeVectors(text: string, model = 'm') {
  const windows = listWindows(text, 1_000)
  const values = new Int8Array(windows.flat().length * 3)
  for (const [at, window] of windows.flat().entries())
    quantise(toVector(window), values.subarray(at * 3, at * 3 + 3))
  const lengths = windows.map(({ length }) => length)
  return encodeVectors({ model, dimensions: 3, characters: text.length, windows: lengths, values })
}

const texts = {
  pay: `${'The pump is cleaned by the staff. '.repeat(60)}Employees receive their salary on the 25th.`,
  office: 'The lease of the premises expires in 2029.',
  manual: 'The pump is cleaned every week.',
}

async function openStore(vectors: Readonly<Record<string, Uint8Array>>, modelOfRows = 'm') {
  const objects = new Map<string, Uint8Array>()
  const reads: string[] = []
  for (const [id, text] of Object.entries(texts)) {
    objects.set(textKey('ann', id), new TextEncoder().encode(text))
    objects.set(indexKey('ann', id), (await buildIndex(text)).bytes)
  }
  for (const [id, bytes] of Object.entries(vectors)) objects.set(vectorsKey('ann', id), bytes)
  const store = {
    readRange: async (key: string, from: number, to: number) => {
      reads.push(`${key} ${to - from > 1 ? 'whole' : 'seen'}`)
      const bytes = objects.get(key)?.slice(from, to)
      return bytes && { bytes, etag: key }
    },
  } as ObjectStore
  const files = Object.keys(texts).map((id) => ({ id, name: id, vectorsModel: modelOfRows }))
  const search = async (wording: string, model: string | undefined = 'm') => {
    const query = { model, vectors: [toVector(wording)] }
    return (await searchFiles(store, 'ann', files, { wordings: [wording], limit: 8, query })).passages
  }
  return { search, countVectorReads: () => reads.filter((read) => read.includes('vectors whole')).length }
}

describe('a search by meaning', () => {
  const all = { pay: makeVectors(texts.pay), office: makeVectors(texts.office) }

  it('finds what has none of the words, by the window of a passage that is nearest', async () => {
    const { search } = await openStore(all)
    const [first] = await search('When do I get paid?')
    expect(first).toMatchObject({ id: 'pay', text: expect.stringContaining('salary') as string })
    expect((await search('Until when do we rent?'))[0]?.id).toBe('office')
  })

  it('still finds what has the words, of files with and without vectors', async () => {
    const { search } = await openStore(all)
    expect((await search('weekly premises')).map(({ id }) => id)).toContain('office')
    expect((await search('every week')).map(({ id }) => id)).toContain('manual')
  })

  it('reads the vectors of a file once', async () => {
    const { search, countVectorReads } = await openStore({ ...all, manual: makeVectors(texts.manual) })
    await search('paid')
    await search('rent')
    expect(countVectorReads()).toBe(3)
  })

  it.each<[what: string, vectors: Uint8Array, modelOfRow?: string]>([
    ['of another model', makeVectors(texts.pay, 'other')],
    ['of another model, as the row says', makeVectors(texts.pay), 'other'],
    ['of another text', makeVectors(`${texts.pay} And more.`)],
    ['that end early', all.pay.slice(0, -1)],
    ['that are no vectors', new Uint8Array(100)],
    ['that are empty', new Uint8Array()],
    [
      'whose head claims four gigabytes',
      Uint8Array.from(all.pay, (byte, at) => (at > 3 && at < 8 ? 255 : byte)),
    ],
    [
      'with more passages than the text',
      encodeVectors({
        model: 'm',
        dimensions: 3,
        characters: texts.pay.length,
        windows: [1, 1, 1, 1, 1],
        values: new Int8Array(15).fill(1),
      }),
    ],
  ])('goes by words where vectors are %s', async (_, vectors, modelOfRow) => {
    const { search } = await openStore({ pay: vectors }, modelOfRow)
    expect(await search('When do I get paid?')).toEqual([])
    expect((await search('salary'))[0]?.id).toBe('pay')
  })
})

describe('vectors', () => {
  it('are stored and read as they are', () => {
    const values = Int8Array.from([127, -127, 0, 5])
    const vectors = { model: 'ä', dimensions: 2, characters: 9, windows: [2], values }
    expect(decodeVectors(encodeVectors(vectors))).toEqual(vectors)
  })

  it('keep their angle as int8', () => {
    const into = new Int8Array(3)
    quantise([0.02, -0.01, 0], into)
    expect([...into]).toEqual([127, -63, 0])
    quantise([0, 0, 0], into)
    expect([...into]).toEqual([0, 0, 0])
  })

  it('are of windows that have all of a passage', () => {
    for (const passage of [
      'word '.repeat(300),
      '字'.repeat(1_500),
      'short',
      ' \n ',
      `a${'😀'.repeat(700)}`,
    ]) {
      const windows = splitWindows(passage)
      expect(windows.every(({ length }) => length > 0 && length <= 640)).toBe(true)
      if (passage.length % 2 === 0) expect(windows.join('')).toBe(passage)
    }
  })

  it('are made of whole passages, up to a number of windows', () => {
    const text = 'word '.repeat(900)
    expect(listWindows(text, 1_000).flat().join('')).toBe(text)
    expect(listWindows(text, 7).map(({ length }) => length)).toEqual([3, 3])
  })
})
