import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** A component has sizes and variants, so that no page has to overrule its classes. */

const root = join(import.meta.dirname, '../..')
const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))

it.each([
  // over the styles of the library of notifications
  ['a utility is forced', /[\s'"`][a-z@*[][^\s'"`!]*-[^\s'"`!]*!(?=[\s'"`])/g, ['components/ui/toaster.tsx']],
  [
    'the look of a card is written out',
    /rounded-lg [^'"`]*bg-surface-raised|bg-surface-raised [^'"`]*rounded-lg/g,
    ['components/ui/card-class.ts'],
  ],
  // its end, and not its beginning, is what is cut off: `dir="auto"` on the element itself
  ['a text of another direction is isolated within what cuts it off', /\btruncate\b[^<>]*>\s*<bdi>/g, []],
])('%s only where it has to be', (_, pattern, expected) => {
  const found = sources.filter((file) => readFileSync(join(root, file), 'utf8').match(pattern))
  expect(found.map((file) => file.replaceAll('\\', '/').replace('web/src/', ''))).toEqual(expected)
})
