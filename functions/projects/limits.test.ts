import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
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

it('of two projects that are both the last one, none exceeds the limit', async () => {
  const { client } = table
  const rival = { PK: 'U#bob', SK: 'P#rival', ...fields, created_at: at, updated_at: at }
  const rows = Array.from({ length: maxProjects - 1 }, (_, count) => ({ ...rival, SK: `P#${count}` }))
  await writeBatches(
    table,
    rows.map((Item) => ({ PutRequest: { Item } })),
  )
  // the other one is written between this one's count and its write
  const send = async (command: never) => {
    if ((command as object) instanceof PutCommand) await putRow(table, rival)
    return client.send(command)
  }
  const racing = projectRepository({ ...table, client: { send } as Table['client'] })
  await expect(racing.create('bob', { name: 'Mine' })).rejects.toMatchObject({ code: 'too_many_projects' })
  const listed = await projects.list('bob')
  expect([listed.length, listed.some(({ name }) => name === 'Mine')]).toEqual([maxProjects, false])
})
