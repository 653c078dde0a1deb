import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { maxProjects, maxPrompts } from '../platform/limits.ts'
import { projectRepository } from './project-repository.ts'
import { promptRepository } from './prompt-repository.ts'

const table = await openTestTable()
afterAll(() => table.close())

it.each([
  ['projects', maxProjects, projectRepository(table).create, projectRepository(table).list],
  ['saved prompts', maxPrompts, promptRepository(table).add, promptRepository(table).list],
])('%s that are added at the same time do not exceed the limit', async (_, max, add, list) => {
  const fields = { name: 'One', text: 'Text' }
  for (let count = 0; count < max - 1; count += 1) await add('ann', fields)
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => add('ann', fields)))
  expect(results.some(({ status }) => status === 'rejected')).toBe(true)
  expect((await list('ann')).length).toBeLessThanOrEqual(max)
})
