import { expect, it } from 'vitest'
import { readRangeOf } from '../../test/support/read-documents.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { readTextRange } from './read-text-range.ts'
import { encodeText, partCharacters } from './stored-text.ts'

const store = (text: string, ranges: [number, number][] = []) =>
  ({
    readRange: readRangeOf({ f: text }, (_, from, to) => ranges.push([from, to])),
  }) as unknown as ObjectStore

function aText(text: string) {
  const { bytes, parts } = encodeText(text)
  return {
    id: 'f',
    text: { characters: text.length, bytes: bytes.length, parts, languages: [], isIndexed: false },
  }
}

// letters of one to four bytes, one of which lies on the border of two parts
const long = `${'aé水'.repeat(43_690)}x😀${'😀b'.repeat(100_000)}`

it.each([
  ['the beginning', 0, 10],
  ['within a part', 200_000, 200_100],
  ['over the border of two parts', partCharacters - 5, partCharacters + 5],
  ['over several parts', 100, 3 * partCharacters],
  ['the end', long.length - 3, long.length],
  ['more than there is', long.length - 3, long.length + 100],
  ['half a letter of two units', partCharacters, partCharacters + 1],
  ['behind the end', long.length, long.length + 5],
  ['nothing', 10, 10],
  ['all', 0, long.length],
])('reads %s', async (_, from, to) => {
  expect(await readTextRange(store(long), 'ann', aText(long), { from, to })).toBe(long.slice(from, to))
})

it('reads only the parts that a range touches', async () => {
  const ranges: [number, number][] = []
  const file = aText('a'.repeat(4 * partCharacters))
  await readTextRange(store('a'.repeat(4 * partCharacters), ranges), 'ann', file, {
    from: partCharacters,
    to: partCharacters + 1,
  })
  expect(ranges).toEqual([[partCharacters, 2 * partCharacters]])
})

it('parts divide no letter, and half a letter is stored as a replacement', () => {
  const { bytes, parts } = encodeText(long)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const ends = [...parts.slice(1), [long.length, bytes.length]]
  expect(
    parts.map(([, from], index) => decoder.decode(bytes.subarray(from, ends[index]?.[1]))).join('') === long,
  ).toBe(true)
  expect(new TextDecoder().decode(encodeText('a\ud83d').bytes)).toBe('a\ufffd')
  expect(encodeText('')).toEqual({ bytes: new Uint8Array(), parts: [] })
})

it('a byte order mark within a text stays, and a text that is gone is undefined', async () => {
  expect(await readTextRange(store('\ufeffa'), 'ann', aText('\ufeffa'), { from: 0, to: 2 })).toBe('\ufeffa')
  const gone = { readRange: async () => undefined } as unknown as ObjectStore
  expect(await readTextRange(gone, 'ann', aText('a'), { from: 0, to: 1 })).toBeUndefined()
})
