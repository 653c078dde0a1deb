import { expect, it, vi } from 'vitest'
import { removeStoredImport } from './import-database.ts'

it.each([
  ['is blocked', { deleteDatabase: () => expectBlocked() }],
  ['is missing', undefined],
])('a sign-out goes on where the database %s', (_, indexedDB) => {
  vi.stubGlobal('indexedDB', indexedDB)
  expect(removeStoredImport).not.toThrow()
})

function expectBlocked(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
