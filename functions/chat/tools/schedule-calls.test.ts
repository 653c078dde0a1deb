import { describe, expect, it } from 'vitest'
import { maxRunTokens } from '#shared/limits.ts'
import type { ListedModel } from '#shared/models.ts'
import { buildRunInput, buildTool } from '../../../test/support/reply-input.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import { createModelList } from '../model-list.ts'
import { scheduleCalls } from './schedule-calls.ts'

type Price = ListedModel['price']

const noModel = undefined as never
const wanted = { prompt: 'Read my mail', rule: { kind: 'daily', time: '08:00' }, time_zone: 'Europe/Vienna' }

/** The calls of a reply with the default model at this price, and with these tools of connections. */
function openCalls({
  price,
  webSearch,
  tools = [],
}: { price?: Price; webSearch?: boolean; tools?: readonly Tool[] } = {}) {
  const id = 'default'
  const models = createModelList({
    models: [{ id, ...(price && { price }), ...(webSearch && { webSearch }) }],
    defaultId: id,
    open: () => noModel,
  })
  const deps = {
    models,
    projects: { find: () => Promise.reject(new Error('a chat without a project')) },
    openSchedules: () => Promise.reject(new Error('nothing is stored before the approval')),
  }
  return scheduleCalls(deps, buildRunInput(noModel), () => tools)
}

const buildWritingTool = (name: string) =>
  buildTool({ name, writes: true, integration: { mcpId: 'mail', name: 'Mail' } })

describe('the most that a run costs', () => {
  it.each<[string, Price, number]>([
    ['the higher one', { input: 2, output: 10 }, 10],
    ['the higher one', { input: 12, output: 10 }, 12],
    ['that of long prompts', { input: 2, output: 10, long: { above: 1_000, input: 4, output: 15 } }, 15],
    ['that of long prompts', { input: 2, output: 10, long: { above: 1_000, input: 20, output: 15 } }, 20],
    ['that of tokens written into the cache', { input: 5, cacheWrite: 6.25, output: 6 }, 6.25],
    [
      'that of tokens written into the cache by long prompts',
      { input: 5, cacheWrite: 6.25, output: 6, long: { above: 1_000, input: 10, output: 9 } },
      12.5,
    ],
    ['that of tokens read from the cache, however odd', { input: 2, cachedInput: 3, output: 1 }, 3],
    ['none', { input: 0, output: 0 }, 0],
  ])('is counted with %s of the prices', async (_, price, highest) => {
    expect(await openCalls({ price }).completeCreation(wanted)).toHaveProperty(
      'max_cost_per_run',
      (maxRunTokens * highest) / 1_000_000,
    )
  })

  it('has the searches of a model that searches', async () => {
    const { max_cost_per_run: cost } = await openCalls({
      price: { input: 2, output: 10 },
      webSearch: true,
    }).completeCreation(wanted)
    expect(cost).toBeCloseTo((maxRunTokens * 10) / 1_000_000 + 0.2)
    const { max_cost_per_run: other } = await openCalls({
      price: { input: 2, output: 10, webSearch: 5 },
    }).completeCreation(wanted)
    expect(other).toBeCloseTo((maxRunTokens * 10) / 1_000_000 + 0.1)
  })

  it('is absent without a price', async () => {
    expect(await openCalls().completeCreation(wanted)).not.toHaveProperty('max_cost_per_run')
  })
})

it('names the first fifty tools that may run without asking, and ten of those that do not exist', async () => {
  const list = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}_${String(index + 1)}`)
  const tools = [
    buildTool({ name: 'read_mail', integration: { mcpId: 'mail', name: 'Mail' } }),
    ...list('send', 51).map(buildWritingTool),
  ]
  await expect(
    openCalls({ tools }).completeCreation({ ...wanted, run_without_asking: list('fly', 11) }),
  ).rejects.toThrow(
    `without asking: ${list('fly', 10).join(', ')}. There are: ${list('send', 50).join(', ')}.`,
  )
})
