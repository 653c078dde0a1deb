/** @module-tag long */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { operations } from '../../infra/local/emulators/cognito/http-server.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { fillGroup } from '../support/fill-pool.ts'
import { type InProcessProduct, startInProcessProduct } from '../support/in-process-product.ts'
import { createProject } from '../support/publish-project.ts'
import type { StackUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'

// what runs each day and each minute costs units too, at any moment
vi.mock('../../infra/local/daily-jobs.ts', () => ({ startDailyJobs: () => () => {} }))

/* What a group of ten thousand members costs, by the requests to the user pool and the units of the table. */

const memberCount = 10_000
/** of lists of the user pool */
const perPage = 60
const pagesOfThousand = Math.ceil(1_000 / perPage) + 1

let model: Awaited<ReturnType<typeof startFakeModel>>
let product: InProcessProduct
let team: Awaited<ReturnType<typeof openTeam>>
let large: string
let small: string
let publisher: StackUser
let member: StackUser

/** by the name of the operation */
const poolRequests = new Map<string, number>()
for (const [name, operation] of operations)
  operations.set(name, {
    ...operation,
    run: (pool, request) => {
      poolRequests.set(name, (poolRequests.get(name) ?? 0) + 1)
      return operation.run(pool, request)
    },
  })

const readUnits = async () => {
  const { headers } = await fetch((await product.endpoints()).dynamodb)
  return ['read', 'write'].map((kind) => Number(headers.get(`x-juno-${kind}-units`)))
}

/** What an action costs, with everything that follows its response. */
async function measure<Result>(act: () => Promise<Result>) {
  const before = await readUnits()
  poolRequests.clear()
  const result = await act()
  while (product.countRunning() > 0) await sleep(10)
  const after = await readUnits()
  const [read = 0, write = 0] = after.map((units, index) => units - (before[index] ?? 0))
  return { result, cost: { read, write, pool: Object.fromEntries(poolRequests) } }
}

beforeAll(async () => {
  model = await startFakeModel(says('Fine.'))
  product = await startInProcessProduct({
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'fake',
    RATE_LIMIT_FACTOR: '100',
    GITHUB_API_URL: 'http://127.0.0.1:1',
    MCP_REGISTRY_URL: 'http://127.0.0.1:1',
  })
  team = await openTeam(product)
  small = await team.newGroup()
  large = await team.newGroup()
  fillGroup(product.dataDir, large, memberCount - 2)
  publisher = await team.newMember(small, large)
  member = await team.newMember(small, large)
})
afterAll(async () => {
  await product.stop()
  model.close()
})

it('publishing, and a member’s list, cost as much as for a group of two', async () => {
  // a profile, settings and prompts are read for the first time
  const warmUp = await createProject(publisher)
  const publish = (projectId: string, group: string) =>
    publisher.call('assistants.publish', { params: { projectId }, body: { audience: { groups: [group] } } })
  await publish(warmUp.id, small)
  await publisher.call('assistants.withdraw', {
    params: { assistantId: (await publish(warmUp.id, small)).assistant.id },
  })
  const measureGroup = async (group: string) => {
    const { id } = await createProject(publisher)
    const { cost: publishing, result } = await measure(() => publish(id, group))
    const list = await measure(() => member.call('assistants.list'))
    expect(list.result.assistants.map((one) => one.id)).toEqual([result.assistant.id])
    const params = { assistantId: result.assistant.id }
    const { cost: withdrawing } = await measure(() => publisher.call('assistants.withdraw', { params }))
    return { publishing, listing: list.cost, withdrawing }
  }
  const ofSmall = await measureGroup(small)
  const ofLarge = await measureGroup(large)
  expect(ofLarge).toEqual(ofSmall)
  // who publishes
  expect(ofLarge.publishing.pool).toEqual({ AdminGetUser: 1 })
  expect(ofLarge.listing.pool).toEqual({})
})

it('the list of groups counts up to a thousand members', async () => {
  const { result, cost } = await measure(() => team.admin.call('admin.groups'))
  const found = result.groups.map(({ name, members }) => [name, members])
  expect(found).toEqual(
    expect.arrayContaining([
      [small, 2],
      [large, null],
    ]),
  )
  expect(cost.pool['ListUsersInGroup']).toBeLessThanOrEqual(pagesOfThousand + result.groups.length)
})

it('the list of users has pages', async () => {
  const { result, cost } = await measure(() => team.admin.call('admin.users', { query: {} }))
  expect(result.users).toHaveLength(20)
  expect(result.next_cursor).not.toBeNull()
  expect(cost.pool['ListUsers']).toBe(1)
})

it('a change of the group counts its members once, and its deletion no member', async () => {
  const params = { groupName: large }
  const changed = await measure(() =>
    team.admin.call('admin.updateGroup', { params, body: { version: 1, description: 'All' } }),
  )
  expect(changed.result.group).toMatchObject({ description: 'All', members: null })
  expect(changed.cost.pool['ListUsersInGroup']).toBeLessThanOrEqual(pagesOfThousand)
  const deleted = await measure(() => team.admin.call('admin.deleteGroup', { params }))
  expect(deleted.cost.pool).toEqual({ DeleteGroup: 1, AdminGetUser: 1 })
})
