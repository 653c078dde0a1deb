import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callsPerMinute,
  publishesPerDay,
  queryFilesPerDay,
  sharesPerDay,
  shareViewsPerMinute,
} from '../../functions/platform/limits.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { routes, type Route, type RouteName } from '#shared/routes.ts'
import { converse } from '../support/belongings.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import type { CallResponse } from '../support/caller.ts'
import { tierOf } from '../support/matrix.ts'
import type { StackUser } from '../support/stack-user.ts'

const factor = 0.05
const budgets = {
  chat: callsPerMinute.chat * factor,
  write: callsPerMinute.write * factor,
  read: callsPerMinute.read * factor,
  views: shareViewsPerMinute * factor,
  shares: sharesPerDay * factor,
  publishes: publishesPerDay * factor,
  results: queryFilesPerDay * factor,
}

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({ env: { RATE_LIMIT_FACTOR: String(factor) } })
})
afterAll(() => stack.stop())

const allRoutes = Object.entries(routes) as [RouteName, Route][]
const writingRoutes = allRoutes.filter(([, { limit }]) => limit === 'chat' || limit === 'write')
const readingRoutes = allRoutes.filter(
  ([, { limit, access, method }]) => limit === 'read' && access !== 'admin' && method === 'GET',
)
const unknownIds = {
  params: {
    importId: 'none',
    assistantId: 'none',
    projectId: 'none',
    promptId: 'none',
    sessionId: 'nothing-here',
    attachmentId: 'nothing-here',
    fileId: 'nothing-here',
    mcpId: 'nothing-here',
    shareId: 'nothing-here',
    messageId: 'nothing-here',
    toolId: 'nothing-here',
    scheduleId: 'nothing-here',
    entryId: 'nothing-here',
    memoryId: 'nothing-here',
    userId: 'nothing-here',
    invitationId: 'nothing-here',
    groupName: 'nothing-here',
  },
}
/** these also have a budget per hour or day, which is used up first */
const routesWithSmallerBudget = new Set<RouteName>(['registry.sync', 'registry.refresh', 'account.export'])

/** Calls until the budget is used up. A new minute may start once in between: then a second budget is used up. */
async function callUntilRefused(
  user: StackUser,
  name: RouteName,
  maxRequests: number,
): Promise<CallResponse[]> {
  const responses: CallResponse[] = []
  while (responses.length <= 2 * maxRequests && responses.at(-1)?.status !== 429)
    responses.push(
      await user.send(name, { ...unknownIds, ...(routes[name].method === 'POST' && { body: {} }) }),
    )
  return responses
}

it('the budgets are 60 messages, 300 other calls and 600 reads a minute', () => {
  expect(callsPerMinute).toEqual({ chat: 60, write: 300, read: 600 })
  expect(allRoutes.filter(([, { limit }]) => limit === 'none').map(([name]) => name)).toEqual([
    'site.read',
    'health',
  ])
  expect(writingRoutes.map(([name, { limit }]) => `${name} ${limit}`)).toEqual([
    'chat.send chat',
    'runs.stop write',
    'runs.answer chat',
    'runs.checkTask write',
    'speech.transcribe chat',
    'sessions.delete write',
    'sessions.update write',
    'sessions.showVersion write',
    'sessions.copy write',
    'sessions.deleteTurn write',
    'sessions.rate write',
    'imports.add write',
    'imports.undo write',
    'projects.create write',
    'projects.update write',
    'projects.delete write',
    'assistants.publish write',
    'assistants.copy write',
    'assistants.withdraw write',
    'prompts.create write',
    'prompts.update write',
    'prompts.delete write',
    'shares.create write',
    'shares.revoke write',
    'files.presign write',
    'files.complete write',
    'files.delete write',
    'documents.analyze write',
    'documents.query write',
    'credentials.manage write',
    'oauth.handle write',
    'registry.sync write',
    'registry.refresh write',
    'integrations.cleanup write',
    'integrations.connect write',
    'integrations.disconnect write',
    'integrations.refresh write',
    'customTools.add write',
    'customTools.test write',
    'customTools.setKey write',
    'customTools.remove write',
    'tools.clearLedger write',
    'tools.revoke write',
    'schedules.create write',
    'schedules.update write',
    'schedules.delete write',
    'schedules.run write',
    'apps.open write',
    'apps.call write',
    'drive.upload write',
    'account.save write',
    'account.settings write',
    'account.uploadAvatar write',
    'account.export write',
    'account.forgetConversations write',
    'account.signOutEverywhere write',
    'account.erase write',
    'push.subscribe write',
    'push.unsubscribe write',
    'push.pageOpen write',
    'memory.add write',
    'memory.update write',
    'memory.delete write',
    'memory.clear write',
    'mfa.setup write',
    'mfa.verify write',
    'admin.disableUser write',
    'admin.enableUser write',
    'admin.signOutUser write',
    'admin.setGroups write',
    'admin.resetTwoFactor write',
    'admin.deleteUser write',
    'admin.pauseSchedules write',
    'admin.resumeSchedules write',
    'admin.invite write',
    'admin.resendInvitation write',
    'admin.revokeInvitation write',
    'admin.createGroup write',
    'admin.updateGroup write',
    'admin.deleteGroup write',
    'admin.updateSite write',
  ])
})

// its first call revokes the token, so that its budget cannot be used up
const repeatableRoutes = writingRoutes.filter(
  ([name]) => name !== 'account.signOutEverywhere' && !routesWithSmallerBudget.has(name),
)

describe.each(repeatableRoutes.map(([name, { limit }], index) => ({ name, limit, index })))(
  '$name',
  ({ name, limit, index }) => {
    it('DEC-106 has a separate budget for each user', tierOf(index), async () => {
      const maxRequests = limit === 'chat' ? budgets.chat : budgets.write
      const [user, other] = await Promise.all([stack.newUser(), stack.newUser()])
      const responses = await callUntilRefused(user, name, maxRequests)
      const lastResponse = responses.at(-1)
      expect(responses.length).toBeGreaterThan(maxRequests)
      for (const { status } of responses.slice(0, -1)) expect(status).not.toBe(429)

      expect(lastResponse?.status).toBe(429)
      const seconds = Number(lastResponse?.headers.get('retry-after'))
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(lastResponse?.body).toEqual({
        success: false,
        error: `Too many requests. Please wait ${seconds === 1 ? '1 second' : `${seconds} seconds`} and try again.`,
        code: 'too_many_requests',
        params: { seconds },
        requestId: expect.any(String) as string,
      })
      expect((await other.send(name, { ...unknownIds, body: {} })).status).not.toBe(429)
    })
  },
)

it('all reads share a separate budget, which still allows them when the one for messages is used up (M3)', async () => {
  const user = await stack.newUser()
  expect((await user.send('sessions.delete', unknownIds)).status).toBe(404)
  const responses = await callUntilRefused(user, 'chat.send', budgets.chat)
  expect(responses.at(-1)?.status).toBe(429)
  const statuses: number[] = []
  // a new minute may start once in between
  while (statuses.at(-1) !== 429 && statuses.length <= 2 * budgets.read)
    statuses.push(
      (await user.send(readingRoutes[statuses.length % readingRoutes.length]?.[0] ?? 'health', unknownIds))
        .status,
    )
  expect(statuses.length).toBeGreaterThan(budgets.read)
  // 409: no drive is connected
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200, 404, 409]))
  expect(statuses.at(-1)).toBe(429)
  expect((await user.send('sessions.delete', unknownIds)).status).toBe(404)
})

it('a message over the budget is not stored, and the model is not called', async () => {
  const [user, otherUser] = await Promise.all([stack.newUser(), stack.newUser()])
  // the product learns with the first message which features the model rejects
  await otherUser.send('chat.send', { body: { messages: [{ role: 'user', content: '/echo Hi' }] } })
  const { requests } = await stack.modelRequests()
  let accepted = 0
  for (let status = 200; status === 200; accepted += Number(status === 200)) {
    const body = { messages: [{ role: 'user', content: '/echo Hi' }], sessionId: crypto.randomUUID() }
    ;({ status } = await user.send('chat.send', { body }))
    if (accepted > 2 * budgets.chat) throw new Error('never refused')
  }
  expect(accepted).toBeGreaterThanOrEqual(budgets.chat)
  expect((await stack.modelRequests()).requests).toBe(requests + accepted)
  expect((await user.call('sessions.list')).sessions).toHaveLength(accepted)
})

it('a link can be opened a number of times a minute, and a user can create a number of links a day', async () => {
  const ann = await stack.newUser()
  const sessionId = await converse(ann, '/echo Hi')
  const create = () => ann.send('shares.create', { params: { sessionId }, body: { days: 30 } })
  const view = async (secret: string): Promise<Pick<CallResponse, 'status' | 'body'>> => {
    const response = await fetch(`${stack.origin}/api/shared-conversation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, page: 1 }),
    })
    return { status: response.status, body: await response.json() }
  }
  const { share } = (await create()).body as RouteResponse<'shares.create'>
  const views: Awaited<ReturnType<typeof view>>[] = []
  // a new minute may start once in between
  while (views.length <= 2 * budgets.views && views.at(-1)?.status !== 429)
    views.push(await view(share.secret))
  expect(views.length).toBeGreaterThan(budgets.views)
  expect(new Set(views.slice(0, -1).map(({ status }) => status))).toEqual(new Set([200]))
  expect(views.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  // unknown links are not counted, so that strangers cannot fill the table
  for (let count = 0; count <= budgets.views; count += 1)
    expect((await view('x'.repeat(43))).status).toBe(404)
  const creations: CallResponse[] = []
  // a new day may start once in between
  while (creations.length < 2 * budgets.shares && creations.at(-1)?.status !== 429)
    creations.push(await create())
  expect(creations.length).toBeGreaterThanOrEqual(budgets.shares)
  expect(creations.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_shares_today' } })
})

it('nobody fills the audit log: publishing is limited by the day, before it is recorded', async () => {
  const user = await stack.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Order desk' } })
  const publications: CallResponse[] = []
  // a new day may start once in between
  while (publications.length < 2 * budgets.publishes && publications.at(-1)?.status !== 429)
    publications.push(
      await user.send('assistants.publish', {
        params: { projectId: project.id },
        body: { audience: { groups: ['not-mine'] } },
      }),
    )
  expect(publications.length).toBeGreaterThan(budgets.publishes)
  expect(publications[0]).toMatchObject({ status: 400 })
  expect(publications.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_publishes_today' } })
})

it('results of queries are written to so many files a day, which no quota counts; their rows can still be read', async () => {
  const user = await stack.newUser()
  const query = (format: 'csv' | 'rows') =>
    user.send('documents.query', {
      body: { sql: 'SELECT 1', tables: [{ table: 't', file_id: 'none', key: 't1' }], format },
    })
  const downloads: CallResponse[] = []
  // a new day may start once in between
  while (downloads.length < 2 * budgets.results && downloads.at(-1)?.status !== 429)
    downloads.push(await query('csv'))
  expect(downloads.length).toBeGreaterThan(budgets.results)
  expect(downloads[0]).toMatchObject({ status: 404, body: { code: 'table_file_gone' } })
  expect(downloads.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_results_today' } })
  expect(await query('rows')).toMatchObject({ status: 404, body: { code: 'table_file_gone' } })
})
