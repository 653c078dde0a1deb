import { expect, it } from 'vitest'
import { decodePrivate } from './symbol-fonts.ts'

it.each([
  ['ABCDEF+Wingdings-Regular', '\uf0fc done', '✓ done'],
  ['SymbolMT', '\uf0b7 one', '• one'],
  ['Symbol,Bold', '\uf061', 'α'],
  ['Wingdings2', '\uf050', '🗸'],
  ['ABCDEF+Calibri', '\uf0b7 one \uf061', '• one \uf061'],
  ['Wingdings', 'plain ü', 'plain ü'],
])('the private characters of the font %s in a PDF are read: %j', (name, text, decoded) => {
  expect(decodePrivate(text, name)).toBe(decoded)
})
