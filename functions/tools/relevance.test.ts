import { expect, it } from 'vitest'
import { chooseRelevant } from './relevance.ts'
import type { Tool } from './tool.ts'

const tool = (name: string, owner: string, description = 'Does something', size = 0): Tool => ({
  name,
  description,
  parameters: { schema: { type: 'object', filler: 'x'.repeat(size) }, check: (input) => ({ input }) },
  writes: false,
  activity: 'other',
  owner: { mcpId: owner, name: owner },
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

it('a word of the name counts more than one of the description, and endings do not count', () => {
  const filler = Array.from({ length: 130 }, (_, index) => tool(`filler_${index}`, 'one'))
  const chosen = (message: string, ...tools: Tool[]) =>
    names(chooseRelevant([...filler, ...tools], message)).filter((name) => !name.startsWith('filler'))
  const described = tool('alpha', 'one', 'Lists invoices')
  expect(chosen('an INVOICE', described)).toEqual(['alpha'])
  expect(chosen('nothing of the kind', described)).toEqual([])
  expect(chosen('parties', { ...tool('alpha', 'one'), title: 'Party' })).toEqual(['alpha'])
  // the best one of a connection stays in any case
  expect(chosen('something else', tool('beta', 'two'), tool('gamma', 'two'))).toEqual(['beta'])
  expect(chosen('gamma', tool('beta', 'two'), tool('gamma', 'two'))).toEqual(['gamma'])
  expect(chosen('send-mail', tool('beta', 'two', 'Send a mail'), tool('send_mail', 'two'))).toContain(
    'send_mail',
  )
})

it('one tool more than a model takes leaves out the last one that is not asked for', () => {
  const tools = Array.from({ length: 121 }, (_, index) => tool(`t${index}`, 'one'))
  expect(names(chooseRelevant(tools, 'x'))).toEqual(names(tools.slice(0, 120)))
})

it('words of one or two letters are asked for by nobody', () => {
  const tools = [...Array.from({ length: 120 }, (_, index) => tool(`t${index}`, 'one')), tool('is_it', 'one')]
  expect(names(chooseRelevant(tools, 'is it'))).not.toContain('is_it')
})

it('all schemas together have an end', () => {
  const large = (name: string) => tool(name, name, '', 99_900)
  const all = [large('one'), large('two'), tool('three', 'three')]
  expect(names(chooseRelevant(all, 'x'))).toEqual(['one', 'two', 'three'])
  const tooMany = [large('one'), large('two'), tool('three', 'three', '', 1_000)]
  expect(names(chooseRelevant(tooMany, 'x'))).toEqual(['one', 'two'])
  expect(names(chooseRelevant(tooMany, 'three'))).toEqual(['one', 'three'])
})
