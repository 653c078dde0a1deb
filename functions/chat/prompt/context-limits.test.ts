import { expect, it } from 'vitest'
import { limitContext } from './context-limits.ts'

it.each([
  [undefined, 48_000, 100, 64_000],
  [8_000, 12_000, 100, 8_000],
  [32_000, 48_000, 100, 32_000],
  [128_000, 192_000, 400, 128_000],
  // a quarter of it, at four bytes to a token
  [1_000_000, 240_000, 500, 1_000_000],
])(
  'a window of %s tokens holds %i characters in %i messages of a conversation, and %i bytes of documents',
  (window, characters, most, bytes) => {
    expect(limitContext(window === undefined ? {} : { contextTokens: window })).toEqual({
      maxCharacters: characters,
      maxMessages: most,
      maxDocumentBytes: bytes,
      maxPagePictures: 10,
    })
  },
)

it('a model that sees no images gets no pages of scans', () => {
  expect(limitContext({ vision: false }).maxPagePictures).toBe(0)
})
