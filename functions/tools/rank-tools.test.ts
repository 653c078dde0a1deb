import { expect, it } from 'vitest'
import { findClosestNames, rankTools } from './rank-tools.ts'
import type { Tool } from './tool.ts'

const tool = (name: string, owner: string, description = 'Does something'): Tool => ({
  name,
  description,
  parameters: { schema: { type: 'object' }, check: (input) => ({ input }) },
  writes: false,
  activity: 'other',
  owner: { mcpId: owner, name: owner },
  timeoutMs: 1,
  run: () => Promise.resolve(undefined),
})
const tools = [
  ...Array.from({ length: 300 }, (_, index) => tool(`one_list_items_${index}`, 'One', 'Lists items')),
  tool('two_get_invoices', 'Two', 'Finds bills that are open'),
  tool('two_delete_invoice', 'Two'),
  tool('three_ping', 'Three', 'List of invoices is not what it returns'),
]
const names = (found: readonly Tool[]) => found.map(({ name }) => name)

it('tools are found by words in names, titles, connections and descriptions, rare words before frequent ones', () => {
  expect(names(rankTools(tools, 'list my open invoices')).slice(0, 3)).toEqual([
    'two_get_invoices',
    'two_delete_invoice',
    'three_ping',
  ])
  expect(names(rankTools(tools, 'three')).slice(0, 1)).toEqual(['three_ping'])
  expect(rankTools(tools, 'one')).toHaveLength(300)
  expect(rankTools(tools, 'weather')).toEqual([])
})

it('a tool that is named exactly comes first', () => {
  expect(names(rankTools(tools, 'one_list_items_299')).slice(0, 1)).toEqual(['one_list_items_299'])
})

it('names that are close share words, and belong to connected tools', () => {
  const { owner: _, ...own } = tool('get_invoice_picture', '')
  expect(findClosestNames([own, ...tools], 'invoices.get').slice(0, 2)).toEqual([
    'two_get_invoices',
    'two_delete_invoice',
  ])
  expect(findClosestNames(tools, 'weather')).toEqual([])
})
