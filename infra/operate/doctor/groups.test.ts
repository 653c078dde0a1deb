import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, expect, it } from 'vitest'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { ListedModel } from '#shared/models.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkGroups } from './users.ts'
import type { DoctorInput } from './stacks.ts'

const table = mockClient(DynamoDBDocumentClient)
afterEach(() => table.reset())

const pricedModel: ListedModel = { id: 'a', price: { input: 1, output: 5 } }
const unpricedModel: ListedModel = { id: 'b' }
const check = (
  models: ListedModel[],
  Outputs: object[] = [{ OutputKey: 'TableName', OutputValue: 'juno' }],
) =>
  checkGroups({
    region: 'eu-west-1',
    config: { models },
    stacks: Promise.resolve([{ stack: { Outputs } }]),
  } as unknown as DoctorInput)
const mockGroups = (groups: Record<string, GroupLimits>) => {
  const entries = Object.entries(groups).map(([name, limits]) => [
    name,
    { description: '', limits, version: 1 },
  ])
  table
    .on(GetCommand, { TableName: 'juno', Key: { PK: 'GROUPS', SK: 'GROUPS' } })
    .resolves({ Item: { version: 3, groups: Object.fromEntries(entries) } })
}

it('DEC-192 warns of a cost limit if no model that the group may use has a price', async () => {
  mockGroups({
    paid: { cost_per_day: 5 },
    monthly: { cost_per_month: 9, models: ['b'] },
    free: { tokens_per_day: 1 },
  })
  const buildWarning = (name: string) => ({
    level: 'warning',
    found: `members of ${name} may use no model: its limit of costs excludes models without a price.`,
    next: expect.stringContaining('price') as string,
  })
  expect(await check([unpricedModel])).toEqual([buildWarning('paid'), buildWarning('monthly')])
  expect(await check([pricedModel, unpricedModel])).toEqual([buildWarning('monthly')])
})

it('DEC-192 warns of a group whose models are no longer offered', async () => {
  mockGroups({ old: { models: ['gone'] }, none: { models: [], cost_per_day: 1 } })
  expect(await check([pricedModel])).toMatchObject([
    { level: 'warning', found: expect.stringContaining('of old') as string },
  ])
})

it('reports nothing without groups, or before the first deployment', async () => {
  table.on(GetCommand).resolves({})
  expect(await check([unpricedModel])).toMatchObject([{ level: 'ok' }])
  expect(await check([unpricedModel], [])).toEqual([])
})
