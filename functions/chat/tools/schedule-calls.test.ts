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
function openCalls({ price, tools = [] }: { price?: Price; tools?: readonly Tool[] } = {}) {
  const id = 'default'
  const models = createModelList({
    models: [{ id, ...(price && { price }) }],
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
    ['none', { input: 0, output: 0 }, 0],
  ])('is counted with %s of the prices', async (_, price, highest) => {
    expect(await openCalls({ price }).completeCreation(wanted)).toHaveProperty(
      'max_cost_per_run',
      (maxRunTokens * highest) / 1_000_000,
    )
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
