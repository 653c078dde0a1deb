import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupRights } from '#shared/group-rights.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'

const model = await startFakeModel(says('Fine.'))
afterAll(() => model.close())
let stack: LocalStack
/** in a group that forbids everything and one without limits, in one that allows everything too, administrator too */
let guest: StackUser
let member: StackUser
let admin: StackUser
let join: (user: StackUser, ...groups: string[]) => Promise<StackUser>
beforeAll(async () => {
  stack = await startStack({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'small',
      MODELS: '[{"id":"small"},{"id":"large"}]',
      MODEL_API: 'chat',
    },
  })
  const people = await Promise.all([stack.newUser(), stack.newUser(), stack.newUser()])
  await grantAdmin(stack, people[2].email)
  const signIn = async (user: StackUser) =>
    signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
  admin = await signIn(people[2])
  const setAll = (value: boolean) => Object.fromEntries(groupRights.map((right) => [right, value]))
  const groups = { guests: setAll(false), staff: setAll(true), 'book-club': {} }
  for (const [name, limits] of Object.entries(groups))
    await admin.call('admin.createGroup', { body: { name, description: '', limits } })
  join = async (user, ...add) => {
    await admin.call('admin.setGroups', { params: { userId: user.sub }, body: { add, remove: [] } })
    return signIn(user)
  }
  guest = await join(people[0], 'guests', 'book-club')
  member = await join(people[1], 'guests', 'staff')
  admin = await join(admin, 'guests')
  await connectProvider(stack, guest, 'google-drive')
})
afterAll(() => stack.stop())

const messages = [{ role: 'user' as const, content: 'Hello' }]
const sessionId = crypto.randomUUID()
const file = { name: 'a.txt', type: 'text/plain', size: 3 }

describe('a group that forbids', () => {
  it.each([
    ['upload', (user: StackUser) => user.send('files.presign', { body: file })],
    ['upload', (user: StackUser) => user.send('drive.upload', { body: { file_id: 'nothing' } })],
    ['memory', (user: StackUser) => user.send('memory.add', { body: { text: 'I like tea' } })],
    [
      'memory',
      (user: StackUser) =>
        user.send('memory.update', {
          params: { memoryId: 'aaaaaaaa' },
          body: { text: 'I like tea', version: 1 },
        }),
    ],
    ['memory', (user: StackUser) => user.send('account.settings', { body: { memory: true } })],
    [
      'share_links',
      (user: StackUser) => user.send('shares.create', { params: { sessionId }, body: { days: 7 } }),
    ],
    [
      'temporary_chats',
      (user: StackUser) => user.send('chat.send', { body: { messages, sessionId, keep: false } }),
    ],
    ['temporary_chats', (user: StackUser) => user.send('chat.send', { body: { messages } })],
    [
      'temporary_chats',
      (user: StackUser) => user.send('account.settings', { body: { keep_conversations: false } }),
    ],
  ] as const)('%s refuses it with a code (%#)', async (reason, attempt) => {
    expect(await attempt(guest)).toMatchObject({
      status: 403,
      body: { success: false, code: 'not_allowed', params: { reason } },
    })
    for (const allowed of [member, admin]) expect((await attempt(allowed)).status).not.toBe(403)
  })

  it('tells the page what its members may not', async () => {
    const denied = Object.fromEntries(groupRights.map((right) => [right, false]))
    expect(await guest.call('account.read')).toMatchObject({ limits: denied })
    for (const allowed of [member, admin]) {
      const { limits } = await allowed.call('account.read')
      expect(limits).toBeUndefined()
    }
  })

  it('memory keeps it from replies, also where it was on before', async () => {
    const offered: string[] = []
    model.behave((response, request, body) => {
      offered.push(JSON.stringify(body))
      return says('Fine.')(response, request, body)
    })
    for (const user of [guest, member]) {
      const table = await openStackTable(stack)
      await table.put(user.sub, 'SETTINGS', {
        keep_conversations: true,
        store_uploads: true,
        theme: null,
        memory: true,
      })
      table.close()
      await user.call('chat.send', { body: { messages, sessionId: crypto.randomUUID() } })
    }
    const [ofGuest, ofMember] = offered.filter((text) => text.includes('Hello') && text.includes('"tools"'))
    expect(ofGuest).not.toContain('remember')
    expect(ofMember).toContain('remember')
  })

  it('schedules keeps their tools from replies', async () => {
    const offered: string[] = []
    model.behave((response, request, body) => {
      offered.push(JSON.stringify(body))
      return says('Fine.')(response, request, body)
    })
    for (const user of [guest, member])
      await user.call('chat.send', { body: { messages, sessionId: crypto.randomUUID() } })
    const [ofGuest, ofMember] = offered.filter((text) => text.includes('Hello') && text.includes('"tools"'))
    expect(ofGuest).not.toContain('_schedule')
    expect(ofMember).toContain('create_schedule')
  })

  it('models narrows the list, whose default is one of them; administrators choose among all', async () => {
    const listModels = async (user: StackUser) =>
      (await user.call('models.list')).models.map(({ id, isDefault }) => [id, isDefault])
    const narrow = { name: 'narrow', description: '', limits: { models: ['large'] } }
    await admin.call('admin.createGroup', { body: narrow })
    const user = await join(await stack.newUser(), 'narrow', 'book-club')
    expect(await listModels(user)).toEqual([['large', true]])
    const all = [
      ['small', true],
      ['large', false],
    ]
    expect(await listModels(guest)).toEqual(all)
    admin = await join(admin, 'narrow')
    expect(await listModels(admin)).toEqual(all)
  })

  it('lets what there is be read and deleted', async () => {
    expect(await guest.call('memory.list')).toEqual({ memories: [] })
    expect((await guest.send('memory.clear')).status).toBe(200)
    expect(await guest.call('shares.list')).toEqual({ shares: [] })
    expect((await guest.send('files.list')).status).toBe(200)
  })
})
