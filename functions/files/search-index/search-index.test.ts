import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { indexKey, textKey } from '../file-links.ts'
import { buildIndex } from './build-index.ts'
import { passageCharacters, splitPassages } from './split-passages.ts'
import { searchFiles } from './search-files.ts'

/** Texts and their indexes in a store; `onRead` may change an object before it is read. */
async function storeTexts(
  texts: Readonly<Record<string, string>>,
  onRead: (key: string) => unknown = () => undefined,
) {
  const sub = crypto.randomUUID()
  const objects = new Map<string, { bytes: Uint8Array; etag: string }>()
  const put = (key: string, bytes: Uint8Array) => objects.set(key, { bytes, etag: crypto.randomUUID() })
  const storeText = async (id: string, text: string) => {
    put(textKey(sub, id), new TextEncoder().encode(text))
    put(indexKey(sub, id), (await buildIndex(text)).bytes)
  }
  for (const [id, text] of Object.entries(texts)) await storeText(id, text)
  const reads: string[] = []
  const store = {
    readRange: async (key: string, from: number, to: number, etag?: string) => {
      reads.push(key)
      await onRead(key)
      const object = objects.get(key)
      if (!object || from >= object.bytes.length || (etag !== undefined && etag !== object.etag))
        return undefined
      return { bytes: object.bytes.slice(from, to), etag: object.etag }
    },
  } as unknown as ObjectStore
  const files = Object.keys(texts).map((id) => ({ id, name: `${id}.txt` }))
  const search = (...wordings: string[]) => searchFiles(store, sub, files, { wordings, limit: 5 })
  const find = async (...wordings: string[]) =>
    (await search(...wordings)).passages.map(({ id, from, to, text }) => {
      expect(text).toBe(texts[id]?.slice(from, to))
      return text
    })
  return { sub, objects, put, reads, search, find, index: (id: string) => indexKey(sub, id) }
}

const word = (index: number) => `word${index.toString(36)}`
const listWords = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => word(from + index)).join(' ')

describe('a search', () => {
  it.each([
    ['the beginning of a word', 'insur', 'The insurance pays.'],
    ['a letter that is missing', 'insurnce', 'The insurance pays.'],
    ['two letters that are exchanged', 'isnurance', 'The insurance pays.'],
    [
      'another form of the word',
      'pays insurances',
      'The insurance companies were paying for the damage of the house.',
    ],
    ['no accents', 'kundigungsfrist', 'Die Kündigungsfrist beträgt drei Monate.'],
    ['a code with other signs', 'P 4471', 'Take part P-4471 of it.'],
    ['a number with other groups', '1.234.567', 'It costs 1,234,567 francs.'],
    ['an IBAN without blanks', 'DE89370400440532013000', 'To DE89 3704 0044 0532 0130 00.'],
    ['a single Han letter', '都', '東京都の人口'],
    ['letters of two units', '𠮷野家', '今日は𠮷野家で食べた。'],
    ['a word with an apostrophe of the other kind', "aujourd'hui", 'Elle vient aujourd’hui.'],
  ])('finds by %s', async (_, wording, text) => {
    const { find } = await storeTexts({ wanted: text, other: 'Nothing of the kind. 何もない' })
    expect(await find(wording)).toEqual([text])
  })

  it('finds nothing where nothing is like it, and names what the file seems to be about', async () => {
    const { search } = await storeTexts({ a: '# Pumps\n\nText' })
    expect(await search('zebra crossing')).toMatchObject({
      passages: [],
      headings: [{ name: 'a.txt', headings: ['# Pumps'] }],
    })
  })

  /** How often the index is read for a word, once words at the beginning, in the middle and at the end were found. */
  async function countReads(words: number) {
    const { find, reads } = await storeTexts({ long: listWords(0, words) })
    for (const at of [0, words / 2, words - 1]) {
      const [first] = await find(word(at))
      expect(first).toContain(word(at))
    }
    const before = reads.length
    await find(word(words / 2))
    return reads.slice(before).filter((key) => key.endsWith('/search')).length
  }

  // then the index is opened, and the passages are read: its blocks are in memory
  it('finds what is in each segment of a text', async () => {
    expect(await countReads(120_000)).toBe(1)
  })

  it('finds what is in any segment and block of a long text', { tags: 'long' }, async () => {
    expect(await countReads(320_000)).toBe(1)
  })

  it('a file that is called like the question wins', async () => {
    const { search } = await storeTexts({ invoice: 'Coffee, 3 euros', notes: 'An old invoice of the coffee' })
    expect((await search('invoice coffee')).passages.map(({ id }) => id)).toHaveLength(2)
  })
})

const damages: readonly [string, (bytes: Uint8Array) => Uint8Array][] = [
  ['is of another kind', () => new TextEncoder().encode('{"v":1}')],
  ['is of another version', (bytes) => replaceText(bytes, '{"v":1,', '{"v":2,')],
  [
    'claims more passages than there can be',
    (bytes) => replaceText(bytes, '"passages":1,', '"passages":9e9,'),
  ],
  [
    'claims a head of four gigabytes',
    (bytes) => Uint8Array.from(bytes, (byte, at) => (at > 3 && at < 8 ? 255 : byte)),
  ],
  ['is empty', () => new Uint8Array()],
  ['ends within its head', (bytes) => bytes.slice(0, 40)],
]
const replaceText = (bytes: Uint8Array, from: string, to: string) =>
  Uint8Array.from(
    Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to.padEnd(from.length)), 'latin1'),
  )

describe('an index', () => {
  it.each(damages)('that %s leaves its file out, and no other', async (_, damage) => {
    const { objects, put, index, search } = await storeTexts({ good: 'The deposit', bad: 'The deposit' })
    put(index('bad'), damage(objects.get(index('bad'))?.bytes ?? new Uint8Array()))
    expect(await search('deposit')).toMatchObject({
      passages: [{ id: 'good' }],
      not_searched: [{ name: 'bad.txt', why: { text: 'its text is not prepared for a search' } }],
    })
  })

  it('whose end is missing or is noise hides passages, and stops nothing', async () => {
    const { objects, put, index, search } = await storeTexts({ good: 'The deposit', bad: listWords(0, 500) })
    const { bytes = new Uint8Array() } = objects.get(index('bad')) ?? {}
    const head = new DataView(bytes.buffer).getUint32(4, true) + 8
    for (const damaged of [
      bytes.slice(0, head + 3),
      bytes.slice(0, bytes.length - 10),
      ...[0, 127, 255].map((noise) => Uint8Array.from(bytes, (byte, at) => (at < head ? byte : noise))),
    ]) {
      put(index('bad'), damaged)
      expect((await search('deposit', word(1))).passages.map(({ id }) => id)).toContain('good')
    }
  })

  it('that is replaced while it is read hides passages of its file for one search', async () => {
    let onRead = () => undefined as unknown
    const text = listWords(0, 100_000)
    const { objects, put, index, find } = await storeTexts({ long: text, good: `${word(46_655)} here` }, () =>
      onRead(),
    )
    const { bytes = new Uint8Array() } = objects.get(index('long')) ?? {}
    let reads = 0
    onRead = () => {
      reads += 1
      if (reads > 2) put(index('long'), bytes)
    }
    expect(await find(word(46_655))).toEqual([`${word(46_655)} here`])
    onRead = () => undefined
    expect(await find(word(46_655))).toHaveLength(2)
  })
})

describe('passages', () => {
  it.each([
    ['paragraphs', `${'a'.repeat(1_000)}\n\n${'b'.repeat(1_000)}`],
    ['lines', `${'a'.repeat(1_000)}\n${'b'.repeat(1_000)}`],
    ['words', 'word '.repeat(1_000)],
    ['letters of two units', `a${'😀'.repeat(2_000)}`],
  ])('end between %s', (_, text) => {
    const passages = [...splitPassages(text)]
    expect(passages.join('')).toBe(text)
    expect(passages.every((passage) => passage.length <= passageCharacters && passage.isWellFormed())).toBe(
      true,
    )
  })
})
