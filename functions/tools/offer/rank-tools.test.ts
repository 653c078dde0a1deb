import { expect, it } from 'vitest'
import { findClosestNames, rankTools } from './rank-tools.ts'
import type { Tool } from '../calls/tool.ts'

const buildTool = (
  name: string,
  integration: string,
  description = 'Does something',
  title?: string,
): Tool => ({
  name,
  description,
  ...(title !== undefined && { title }),
  parameters: { schema: { type: 'object' }, check: (input) => ({ input }) },
  writes: false,
  activity: 'other',
  integration: { mcpId: integration, name: integration },
  timeoutMs: 1,
  run: () => Promise.resolve(undefined),
})
const tools = [
  ...Array.from({ length: 300 }, (_, index) => buildTool(`one_list_items_${index}`, 'One', 'Lists items')),
  buildTool('two_get_invoices', 'Two', 'Finds bills that are open'),
  buildTool('two_delete_invoice', 'Two'),
  buildTool('three_ping', 'Three', 'List of invoices is not what it returns', 'Heartbeat'),
]
const listNames = (found: readonly Tool[]) => found.map(({ name }) => name)

it('finds tools by words in names, titles, connections and descriptions, rare words before frequent ones', () => {
  expect(listNames(rankTools(tools, 'list my open invoices')).slice(0, 3)).toEqual([
    'two_get_invoices',
    'two_delete_invoice',
    'three_ping',
  ])
  expect(listNames(rankTools(tools, 'three')).slice(0, 1)).toEqual(['three_ping'])
  expect(listNames(rankTools(tools, 'heartbeat'))).toEqual(['three_ping'])
  expect(rankTools(tools, 'one')).toHaveLength(300)
  expect(rankTools(tools, 'weather')).toEqual([])
})

it('puts a tool that is named exactly first', () => {
  expect(listNames(rankTools(tools, 'one_list_items_299')).slice(0, 1)).toEqual(['one_list_items_299'])
})

it('suggests names of connected tools that share a word', () => {
  const { integration: _, ...productTool } = buildTool('get_invoice_picture', '')
  expect(findClosestNames([productTool, ...tools], 'invoices.get').slice(0, 2)).toEqual([
    'two_get_invoices',
    'two_delete_invoice',
  ])
  expect(findClosestNames(tools, 'weather')).toEqual([])
  expect(findClosestNames([...tools, ...tools], 'one_list_items_299').slice(0, 2)).not.toEqual([
    'one_list_items_299',
    'one_list_items_299',
  ])
})
