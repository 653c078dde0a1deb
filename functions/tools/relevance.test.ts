import { expect, it } from 'vitest'
import { chooseRelevant } from './relevance.ts'
import type { Tool } from './tool.ts'

const tool = (name: string, owner: string, description = 'Does something', size = 0): Tool => ({
  name,
  description,
  parameters: { schema: { type: 'object', filler: 'x'.repeat(size) }, check: (input) => ({ input }) },
  writes: false,
  activity: 'other',
  of: { mcpId: owner, name: owner },
  timeoutMs: 1,
  run: () => Promise.resolve(undefined),
})
const names = (tools: readonly Tool[]) => tools.map(({ name }) => name)

it('gives all where all have room', () => {
  const tools = Array.from({ length: 120 }, (_, index) => tool(`t${index}`, 'one'))
  expect(chooseRelevant(tools, 'x')).toEqual(tools)
})

it('CAP-01 of too many, takes those that the message is about, one of each connection, in their order', () => {
  const tools = [
    ...Array.from({ length: 200 }, (_, index) => tool(`one_${index}`, 'one')),
    ...Array.from({ length: 200 }, (_, index) => tool(`two_${index}`, 'two')),
    tool('three_get_invoices', 'three', 'Lists invoices'),
    tool('four_ping', 'four'),
  ]
  const chosen = names(chooseRelevant(tools, 'Show my open invoices'))
  expect(chosen).toHaveLength(120)
  expect(chosen).toEqual(expect.arrayContaining(['three_get_invoices', 'four_ping', 'two_0', 'one_0']))
  expect(chosen).toEqual(names(tools).filter((name) => chosen.includes(name)))
  expect(chosen).toEqual(names(chooseRelevant(tools, 'Show my open invoices')))
})

it('leaves out what is too large on its own rather than everything else', () => {
  const tools = [tool('huge', 'one', 'x', 300_000), tool('small', 'two')]
  expect(names(chooseRelevant(tools, 'huge'))).toEqual(['small'])
})
