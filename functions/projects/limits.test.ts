import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { writeBatches } from '../platform/dynamodb/write-batches.ts'
import { maxProjects, maxPrompts } from '../platform/limits.ts'
import { projectRepository } from './project-repository.ts'
import { promptRepository } from './prompt-repository.ts'

const table = await openTestTable()
afterAll(() => table.close())
const projects = projectRepository(table)
const prompts = promptRepository(table)

const at = '2026-01-01T00:00:00.000Z'
const fields = { name: 'One', text: 'Text' }

it.each<[string, string, number, () => Promise<unknown>, () => Promise<readonly unknown[]>]>([
  ['projects', 'P', maxProjects, () => projects.create('ann', fields), () => projects.list('ann')],
  ['saved prompts', 'PROMPT', maxPrompts, () => prompts.add('ann', fields), () => prompts.list('ann')],
])('%s that are added at the same time do not exceed the limit', async (_, kind, max, add, list) => {
  const rows = Array.from({ length: max - 1 }, (__, count) => ({ PK: 'U#ann', SK: `${kind}#${count}` }))
  await writeBatches(
    table,
    rows.map((row) => ({ PutRequest: { Item: { ...row, ...fields, created_at: at, updated_at: at } } })),
  )
  const results = await Promise.allSettled(Array.from({ length: 8 }, add))
  expect(results.some(({ status }) => status === 'rejected')).toBe(true)
  expect((await list()).length).toBeLessThanOrEqual(max)
})
