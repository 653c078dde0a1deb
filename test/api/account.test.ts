import { describe, expect, it } from 'vitest'
import { pausableReply } from '../support/pausable-reply.ts'
import { addTool, canaryFor, connect, converse, notes } from '../support/belongings.ts'
import { ask } from '../support/read-along.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { downloadExport } from '../support/download-export.ts'
import { webpOf } from '../support/webp-of.ts'
import { unzip } from '../support/unzip.ts'

const { model, stack, table } = await scriptedStack('The answer.')

const webp = (size = 100) => webpOf(['VP8 ', Buffer.alloc(size)]).toString('base64')
const toBody = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const rowKeys = async ({ sub }: StackUser) => (await table.readRows(sub)).map(({ SK }) => String(SK))

async function exportData(user: StackUser) {
  const { headers, bytes } = await downloadExport(await user.call('account.export'))
  expect(headers.get('content-type')).toBe('application/zip')
  return unzip(bytes)
}

describe('profile and settings', () => {
  it('LIM-09 starts with the name from sign-up and both switches on', async () => {
    const user = await stack.newUser({ name: 'Zoë\u202E <b>Example</b>' })
    expect(await user.call('account.read')).toEqual({
      profile: { display_name: 'Zoë <b>Example</b>', avatar_id: null },
      settings: { keep_conversations: true, store_uploads: true, theme: null },
    })
  })

  it.each([
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['👩‍👩‍👧 Zoë', '👩‍👩‍👧 Zoë'],
    ['x'.repeat(200), 'x'.repeat(80)],
    ['\u202Egnp.exe\u2066', 'gnp.exe'],
  ])(
    'SET-08 DEC-117 a sign-up as %j has a name that can be displayed and sent to the model',
    async (name, displayName) => {
      const user = await stack.newUser({ name })
      expect((await user.call('account.read')).profile.display_name).toBe(displayName)
      await user.call('chat.send', { body: { ...toBody('Who am I?'), sessionId: crypto.randomUUID() } })
      const systemPrompt = model.requests.at(-1)?.messages.find(({ role }) => role === 'system')
        ?.content as unknown
      expect(systemPrompt).toContain(JSON.stringify(displayName))
    },
  )

  it('SET-08 sign-up refuses a name of 500 characters and says why', async () => {
    await expect(stack.newUser({ name: 'x'.repeat(500) })).rejects.toThrow(
      'The name is longer than 200 characters [code=name_too_long].',
    )
  })

  it('custom instructions are saved, sent to the model as preferences, and exported', async () => {
    const user = await stack.newUser()
    const { settings } = await user.call('account.settings', { body: { instructions: ' Reply in Latin. ' } })
    expect(settings.instructions).toBe('Reply in Latin.')
    await user.call('chat.send', { body: toBody('Hello') })
    const systemPrompt = model.requests.at(-1)?.messages.find(({ role }) => role === 'system')?.content
    expect(systemPrompt).toContain('preferences for your replies')
    expect(systemPrompt).toContain('Reply in Latin.')
    const files = await exportData(user)
    expect(JSON.stringify(Object.fromEntries(files))).toContain('Reply in Latin.')
    await user.call('account.settings', { body: { instructions: '' } })
    await user.call('chat.send', { body: toBody('Hello again') })
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('preferences for your replies')
    await expect(
      user.call('account.settings', { body: { instructions: 'x'.repeat(4_001) } }),
    ).rejects.toThrow('400')
  })

  it('AUTH-20 changes only the given fields', async () => {
    const user = await stack.newUser()
    await user.call('account.settings', { body: { theme: 'dark', store_uploads: false } })
    const { settings } = await user.call('account.settings', { body: { keep_conversations: false } })
    expect(settings).toEqual({ keep_conversations: false, store_uploads: false, theme: 'dark' })
    const { profile } = await user.call('account.save', { body: { display_name: ' Ann\n of Cleves ' } })
    expect(profile).toEqual({ display_name: 'Ann of Cleves', avatar_id: null })
    expect((await user.call('account.save', { body: { display_name: '' } })).profile.display_name).toBe('')
    expect((await user.call('account.read')).profile.display_name).toBe('')
  })

  it.each([
    ['account.save', { display_name: 'x'.repeat(81) }],
    ['account.save', { display_name: 7 }],
    ['account.save', { avatar_id: '../../etc' }],
    ['account.save', { sub: 'someone' }],
    ['account.settings', { theme: 'sepia' }],
    ['account.settings', { keep_conversations: 'no' }],
    ['account.settings', { SK: 'PROFILE' }],
    ['account.uploadAvatar', { data: 'no base64!' }],
    ['account.uploadAvatar', { data: Buffer.from('<svg onload="x"/>').toString('base64') }],
    ['account.uploadAvatar', { data: Buffer.from('GIF89a').toString('base64') }],
    ['account.uploadAvatar', { data: webp(60_000) }],
    ['account.uploadAvatar', { data: Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 99]).toString('base64') }],
    ['account.erase', {}],
    ['account.erase', { confirm: 'delete' }],
  ] as const)('%s refuses %j and changes nothing', async (route, body) => {
    const user = await stack.newUser()
    const before = await user.call('account.read')
    const rows = await rowKeys(user)
    expect((await user.send(route, { body })).status).toBe(400)
    expect(await user.call('account.read')).toEqual(before)
    expect(await rowKeys(user)).toEqual(rows)
  })

  it('SET-05 stores of a picture its pixels, and no place', async () => {
    const user = await stack.newUser()
    const data = webpOf(['VP8 ', 'pixels'], ['EXIF', '48.2 N'], ['XMP ', 'at home']).toString('base64')
    const { avatar_id } = await user.call('account.uploadAvatar', { body: { data } })
    const picture = await user.call('account.avatar', { params: { avatarId: avatar_id } })
    expect(picture).toEqual({ type: 'image/webp', data: webpOf(['VP8 ', 'pixels']).toString('base64') })
  })

  it('SET-05 stores one picture, and deletes the previous one when another is saved', async () => {
    const user = await stack.newUser()
    const first = await user.call('account.uploadAvatar', { body: { data: webp() } })
    const second = await user.call('account.uploadAvatar', { body: { data: webp(200) } })
    await user.call('account.save', { body: first })
    await user.call('account.save', { body: second })
    const picture = await user.call('account.avatar', { params: { avatarId: second.avatar_id } })
    expect(picture).toEqual({ type: 'image/webp', data: webp(200) })
    expect((await user.send('account.avatar', { params: { avatarId: first.avatar_id } })).status).toBe(404)
    expect((await user.send('account.save', { body: { avatar_id: crypto.randomUUID() } })).status).toBe(404)
    await user.call('account.save', { body: { avatar_id: null } })
    expect((await rowKeys(user)).filter((key) => key.startsWith('AVATAR#'))).toEqual([])
  })

  it("DEC-100 does not reveal another user's picture", async () => {
    const [ann, bob] = [await stack.newUser(), await stack.newUser()]
    const { avatar_id } = await ann.call('account.uploadAvatar', { body: { data: webp() } })
    expect((await bob.send('account.avatar', { params: { avatarId: avatar_id } })).status).toBe(404)
    expect((await bob.send('account.save', { body: { avatar_id } })).status).toBe(404)
    expect(await ann.call('account.save', { body: { avatar_id } })).toMatchObject({ profile: { avatar_id } })
  })
})

describe('DEC-033 SET-12 chats that are not stored', () => {
  it('leave nothing in the table, and the reply is complete in both forms', async () => {
    const user = await stack.newUser()
    await user.call('account.settings', { body: { keep_conversations: false } })
    const before = await rowKeys(user)
    const sessionId = crypto.randomUUID()
    const response = await user.call('chat.send', { body: { ...toBody('CANARY'), sessionId } })
    expect(response).toMatchObject({ success: true, content: 'The answer.' })
    const events = await ask(user, { ...toBody('CANARY again'), sessionId }).finished
    expect(JSON.stringify(events)).toContain('"kept":false')
    expect(await rowKeys(user)).toEqual(before)
    expect((await user.send('sessions.read', { params: { sessionId } })).status).toBe(404)
    expect(await user.call('sessions.list')).toEqual({ sessions: [] })
  })

  it('have no content in the table while the reply is written, and can be stopped', async () => {
    const user = await stack.newUser()
    await user.call('account.settings', { body: { keep_conversations: false } })
    const paused = pausableReply('CANARY-reply')
    model.behave(paused.behaviour)
    const sessionId = crypto.randomUUID()
    const reading = ask(user, { ...toBody('CANARY-question'), sessionId })
    await reading.until(({ text }) => text().includes('CANARY-reply'))
    const rows = JSON.stringify(await table.readRows(user.sub))
    expect(rows).toContain(`RUN#${sessionId}`)
    expect(rows).not.toContain('CANARY')
    await user.call('runs.stop', { params: { sessionId }, body: {} })
    expect(JSON.stringify(await reading.finished)).toContain('"abort"')
    expect((await rowKeys(user)).filter((key) => /^(RUN|LOG|M|S)#/.test(key))).toEqual([])
  })

  it('an unstored chat stays unstored after the switch is turned on, and a stored chat stays stored after it is turned off', async () => {
    const user = await stack.newUser()
    const savedId = await converse(user, 'Saved')
    const sessionId = crypto.randomUUID()
    await user.call('chat.send', { body: { ...toBody('CANARY'), sessionId, keep: false } })
    expect((await user.call('sessions.list')).sessions.map(({ id }) => id)).toEqual([savedId])
    await user.call('account.settings', { body: { keep_conversations: false } })
    await user.call('chat.send', { body: { ...toBody('More'), sessionId: savedId } })
    expect((await user.call('sessions.list')).sessions[0]?.message_count).toBe(4)
  })

  it('chats that were stored before can be deleted', async () => {
    const user = await stack.newUser()
    for (const text of ['one', 'two', 'three']) await converse(user, `CANARY ${text}`)
    expect(await user.call('account.forgetConversations')).toEqual({ deleted: 3, remaining: 0 })
    expect(await user.call('account.forgetConversations')).toEqual({ deleted: 0, remaining: 0 })
    expect(JSON.stringify(await table.readRows(user.sub))).not.toContain('CANARY')
    expect(await user.call('account.storedData')).toMatchObject({ conversations: 0, messages: 0 })
  })
})

describe('export', () => {
  it('counts and exports what is stored for this user, and for nobody else', async () => {
    const [ann, bob] = [await stack.newUser({ name: 'Ann' }), await stack.newUser()]
    await converse(ann, 'Mine')
    await converse(bob, 'Not yours')
    await uploadFile(ann, notes)
    await addTool(ann)
    await connect(ann)
    expect(await ann.call('account.storedData')).toEqual({
      conversations: 1,
      messages: 2,
      files: 1,
      integrations: 1,
      credentials: 1,
      custom_tools: 1,
      tool_calls: 0,
      memories: 0,
      projects: 0,
    })
    const files = await exportData(ann)
    expect([...files.keys()]).toHaveLength(7)
    expect(JSON.parse(files.get('integrations.json') ?? '')).toMatchObject({
      integrations: [{ mcp_id: 'notion', status: 'connected', credential: { status: 'active' } }],
      custom_tools: [{ name: 'My tool', is_active: true }],
    })
    expect([...files.values()].join('')).not.toContain(canaryFor(ann))
    expect([...files].find(([name]) => /^files\/\w{8} notes.txt$/.test(name))?.[1]).toBe('Buy milk.')
    expect([...files.values()].join('')).toContain('The answer.')
    expect([...files.values()].join('')).not.toContain('Not yours')
    expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject({ email: ann.email, name: 'Ann' })
  })

  it('completes while messages are being written', { tags: 'long' }, async () => {
    const user = await stack.newUser()
    for (const text of ['one', 'two', 'three']) await converse(user, text)
    const [files] = await Promise.all([
      exportData(user),
      converse(user, 'four'),
      converse(user, 'five'),
      converse(user, 'six'),
    ])
    const conversations = [...files].filter(
      ([name]) => name.startsWith('conversations/') && name.endsWith('.json'),
    )
    expect(conversations.length).toBeGreaterThanOrEqual(3)
    for (const [, text] of conversations) expect(JSON.parse(text)).toMatchObject({ user_id: user.sub })
  })
})

describe('signing out everywhere', () => {
  it('rejects earlier tokens on every route', async () => {
    const user = await stack.newUser()
    await user.call('account.signOutEverywhere')
    for (const route of ['account.read', 'sessions.list', 'account.storedData'] as const)
      expect(await user.send(route)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    const chat = await user.send('chat.send', { body: toBody('Still here?') })
    expect(chat.status).toBe(401)
    // a new erasure is refused as well: only one that has begun may continue
    expect((await user.send('account.erase', { body: { confirm: 'DELETE' } })).status).toBe(401)
  })
})
