import { expect, it } from 'vitest'
import { showFolder } from './show-folder.ts'

it.each([
  ['/home/ada/juno/.local', '.local'],
  ['/home/ada/juno', '/home/ada/juno'],
  ['/var/juno-data', '/var/juno-data'],
  ['/home/ada/juno-data', '/home/ada/juno-data'],
])('shows %s as %s', (folder, shown) => {
  expect(showFolder(folder, '/home/ada/juno')).toBe(shown)
})
