import { expect, it } from 'vitest'
import { readRangeOf } from '../../test/support/read-documents.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { readPlace } from './places.ts'
import { encodeText, partCharacters } from './stored-text.ts'

function open(text: string) {
  const { bytes, ...encoded } = encodeText(text)
  const store = { readRange: readRangeOf({ f: text }) } as unknown as ObjectStore
  const stored = { ...encoded, characters: text.length, bytes: bytes.length, languages: [], isIndexed: false }
  const file = { id: 'f', text: stored }
  return { placeAt: (from: number) => readPlace(store, 'ann', file, from) }
}

// the second page goes over several parts
const long = `Title\n\n[page 1]\nfirst [page 9]\n\n[page 2]\n${'é'.repeat(3 * partCharacters)}\n\n[page 3]\n\n[sheet A [x]]\nlast`
const second = long.indexOf('[page 2]')
const third = long.indexOf('[page 3]')

it.each([
  ['before the first', 0, undefined],
  ['the mark itself', 7, 'page 1'],
  ['what only looks like one', second - 3, 'page 1'],
  ['a mark', second, 'page 2'],
  ['another part', second + 2 * partCharacters, 'page 2'],
  ['before a mark', third - 1, 'page 2'],
  ['the end', long.length - 1, 'sheet A [x]'],
])('the place of a character: %s', async (_, from, place) => {
  expect(await open(long).placeAt(from)).toBe(place)
})

it('a document without places has none', async () => {
  expect(await open('see [page 3] there\nend').placeAt(5)).toBeUndefined()
})
