import { expect, it } from 'vitest'
import { limitContext } from './context-limits.ts'

it.each([
  [undefined, 48_000, 100],
  [8_000, 12_000, 100],
  [32_000, 48_000, 100],
  [128_000, 192_000, 400],
  [1_000_000, 240_000, 500],
])(
  'a window of %s tokens holds %i characters in %i messages of a conversation',
  (window, characters, most) => {
    expect(limitContext(window === undefined ? {} : { contextTokens: window })).toEqual({
      maxCharacters: characters,
      maxMessages: most,
    })
  },
)
