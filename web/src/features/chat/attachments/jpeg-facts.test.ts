import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readJpegFacts } from './jpeg-facts.ts'

const read = (name: string) => new Uint8Array(readFileSync(`test/fixtures/files/pictures/${name}`))

it.each([
  ['jpeg-named.png', { orientation: 1, components: 3 }],
  ['rotated.jpg', { orientation: 6, components: 3 }],
  ['cmyk.jpg', { orientation: 1, components: 4 }],
])('%s', (name, facts) => {
  expect(readJpegFacts(read(name))).toEqual(facts)
})

it('ends with a file that is cut anywhere', () => {
  const bytes = read('rotated.jpg')
  for (let length = 0; length < bytes.length; length += 1)
    expect(readJpegFacts(bytes.subarray(0, length)).components).toBe(3)
})
