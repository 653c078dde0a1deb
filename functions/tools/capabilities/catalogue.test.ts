import { expect, it } from 'vitest'
import { builtinCapabilities } from '#shared/builtin-capabilities.ts'
import { capabilities } from './catalogue.ts'

it('CAP-03 the page knows before one connects what the product itself can do', () => {
  const ids = Object.entries(capabilities).map(([id, list]) => [id, list.map((one) => one.id)])
  expect(builtinCapabilities).toEqual(Object.fromEntries(ids))
})
