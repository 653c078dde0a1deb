import {
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { exportsPerDay } from '../platform/limits.ts'
import { maxAvatarBytes } from '#shared/limits.ts'
import { type AccountFunctions, startAccountFunctions } from '../../test/support/account-functions.ts'
import { aMessage, openStores } from '../../test/support/conversations.ts'
import { downloadExport } from '../../test/support/download-export.ts'
import { putGroups } from '../../test/support/groups.ts'
import { unzip } from '../../test/support/unzip.ts'
import { fileRepository } from '../files/file-repository.ts'
import { originalKey } from '../files/file-links.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { webpOf } from '../../test/support/webp-of.ts'

let functions: AccountFunctions
let objects: S3Client
beforeAll(async () => {
  functions = await startAccountFunctions()
  objects = new S3Client({ forcePathStyle: true })
})
afterAll(async () => {
  objects.destroy()
  await functions.close()
})

/** Writes the usage row of a user's day as replies do. */
const putDay = ({ sub }: Person, day: number, row: object) =>
  functions.table.client.send(
    new PutCommand({
      TableName: functions.table.name,
      Item: { PK: `RATE#${sub}`, SK: `replies#${day}`, ttl: 4e9, ...row },
    }),
  )

/**
 * When each test's clock starts: 5 ms before a full second, because a sign-out waits for the next full second. The time of day is the real
 * one: the SDK sets its clock by the emulators' answers.
 */
let startMs: number
beforeEach(() => {
  startMs = Math.ceil(Date.now() / 1_000) * 1_000 - 5
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
})
afterEach(() => vi.useRealTimers())
const setSecondsAfterStart = (seconds: number) => vi.setSystemTime(startMs + seconds * 1_000)

type Person = Awaited<ReturnType<AccountFunctions['newUser']>>

const buildRefusal = (statusCode: number, code: string, error?: string) => ({
  statusCode,
  body: { success: false, code, ...(error !== undefined && { error }) },
})
const settings = { keep_conversations: true, store_uploads: true, theme: null }
const buildWebp = (size = 100) => webpOf(['VP8 ', Buffer.alloc(size)])
const upload = async (user: Person, picture = buildWebp()) => {
  const { body } = await user.call('account.uploadAvatar', { body: { data: picture.toString('base64') } })
  return String(body['avatar_id'])
}
const listKeys = async ({ sub }: Person, prefix = '') =>
  (await queryAll(functions.table, { partition: `U#${sub}`, prefix })).map(({ SK }) => SK)
const putRow = ({ sub }: Person, SK: string, row: object) =>
  functions.table.client.send(
    new PutCommand({ TableName: functions.table.name, Item: { PK: `U#${sub}`, SK, ...row } }),
  )

async function createConversation({ sub }: Person, id: string, title = 'Tea') {
  const { messages, conversations } = openStores(functions.table)
  for (const turn of [1, 2])
    await messages.put(sub, aMessage({ session_id: id, turn, content: `${title} ${turn}` }), 1)
  await conversations.upsert(sub, id, {
    title,
    addedMessages: 2,
    at: '2026-03-01T10:00:00.000Z',
    replacesTitle: false,
  })
}

async function putFile(user: Person, id: string, content: string) {
  await fileRepository(functions.table).put(user.sub, {
    id,
    state: 'ready',
    name: 'notes.txt',
    type: 'text/plain',
    size: 5,
    created_at: '2026-03-01T10:00:00.000Z',
  })
  const Key = originalKey(user.sub, id)
  await objects.send(new PutObjectCommand({ Bucket: 'uploads', Key, Body: content }))
  return () => objects.send(new GetObjectCommand({ Bucket: 'uploads', Key }))
}

/** Captures what the functions log from now on, one line per message. */
function captureLog() {
  vi.stubEnv('LOG_LEVEL', 'warn')
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  return () => write.mock.calls.map(([line]) => String(line)).join('')
}

const deleteAtPool = ({ sub }: Person) =>
  functions.pool.client.send(
    new AdminDeleteUserCommand({ UserPoolId: functions.pool.userPoolId, Username: sub }),
  )

describe('usage', () => {
  const today = () => Math.floor(Date.now() / 86_400_000)
  const toDate = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

  it('DEC-176 returns the usage of each of the last 31 days, the total, and what is left of today', async () => {
    const [user, other] = [await functions.newUser(), await functions.newUser()]
    const usage = { replies: 2, input_tokens: 100, cached_tokens: 40, output_tokens: 30, nano_usd: 1_500_000 }
    await putDay(user, today(), { ...usage, images: 1, tokens: 22_130 })
    await putDay(user, today() - 30, { replies: 1, input_tokens: 7, output_tokens: 3, unpriced_tokens: 10 })
    await putDay(user, today() - 31, usage)
    // a day on which every reply failed, and another user's
    await putDay(user, today() - 2, { tokens: 0 })
    await putDay(other, today(), { ...usage, input_tokens: 999 })
    expect((await user.call('account.usage')).body).toEqual({
      days: [
        {
          day: toDate(today()),
          replies: 2,
          inputTokens: 100,
          cachedInputTokens: 40,
          outputTokens: 30,
          images: 1,
          cost: 0.0015,
        },
        {
          day: toDate(today() - 30),
          replies: 1,
          inputTokens: 7,
          cachedInputTokens: 0,
          outputTokens: 3,
          images: 0,
          unpricedTokens: 10,
        },
      ],
      total: {
        replies: 3,
        inputTokens: 107,
        cachedInputTokens: 40,
        outputTokens: 33,
        images: 1,
        cost: 0.0015,
        unpricedTokens: 10,
      },
      today: {
        tokens: { used: 22_130, limit: 5_000_000 },
        images: { used: 1, limit: 50 },
        resets_at: `${toDate(today() + 1)}T00:00:00.000Z`,
      },
    })
  })

  it('counts what it can of a day with odd figures, and lists the others', async () => {
    const user = await functions.newUser()
    const odd = { input_tokens: -5, output_tokens: 1.5, nano_usd: 'x', images: 9e15, cached_tokens: null }
    await putDay(user, today(), { replies: 'many', tokens: -9, ...odd })
    await putDay(user, today() - 1, { replies: 1, input_tokens: 7, output_tokens: 3, web_searches: 2 })
    expect((await user.call('account.usage')).body.days).toMatchObject([
      { replies: 0, inputTokens: 0, outputTokens: 2 },
      { replies: 1, inputTokens: 7, outputTokens: 3, webSearches: 2 },
    ])
  })

  it('DEC-189 includes the limits of the user’s groups, also those per month and for costs', async () => {
    const user = await functions.newUser()
    await functions.pool.joinGroups(user.email, ['interns'])
    await putGroups(functions.table, {
      interns: {
        tokens_per_day: 0,
        tokens_per_month: 9_000,
        cost_per_day: 1,
        cost_per_month: 5,
        models: ['small'],
      },
    })
    const member = await user.signInAgain()
    await putDay(user, today(), { tokens: 700, nano_usd: 250_000_000, input_tokens: 1 })
    const { body } = await member.call('account.usage')
    expect(body).toMatchObject({
      today: { tokens: { used: 700, limit: 0 }, cost: { used: 0.25, limit: 1 } },
      month: {
        tokens: { used: 700, limit: 9_000 },
        cost: { used: 0.25, limit: 5 },
        resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/) as string,
      },
    })
    expect((await user.call('account.usage')).body).not.toHaveProperty('month')
    const limits = { models: ['small'], priced_models_only: true }
    expect((await member.call('account.read')).body).toMatchObject({ limits })
  })

  it('is empty for a new user', async () => {
    const user = await functions.newUser()
    expect((await user.call('account.usage')).body).toMatchObject({
      days: [],
      total: { replies: 0, inputTokens: 0 },
      today: { tokens: { used: 0 }, images: { used: 0 } },
    })
  })
})

describe('DEC-190 an account that has to set up a second factor', () => {
  it('can set it up and read its own account, and nothing else, until it has one', async () => {
    vi.stubEnv('REQUIRE_TWO_FACTOR', 'off')
    const user = await functions.newUser()
    await functions.pool.joinGroups(user.email, ['staff'])
    await putGroups(functions.table, { staff: { require_two_factor: true } })
    // functions cache the groups for a minute
    setSecondsAfterStart(61)
    const member = await user.signInAgain()
    const factorRequired = buildRefusal(
      403,
      'two_factor_required',
      'Your account needs two-factor authentication. Please set it up first.',
    )
    expect(await member.call('account.usage')).toMatchObject(factorRequired)
    expect(await member.call('account.settings', { body: { theme: 'dark' } })).toMatchObject(factorRequired)
    expect((await member.call('account.read')).statusCode).toBe(200)
    expect((await member.call('mfa.status')).body).toMatchObject({ enabled: false })
    await member.enrol()
    // the old token still carries the claim
    expect(await member.call('account.usage')).toMatchObject(factorRequired)
    const refreshed = await member.refresh()
    expect((await refreshed.call('account.usage')).statusCode).toBe(200)
  })
})

describe('the account', () => {
  it('starts with the name from the sign-up, and stores changes', async () => {
    const user = await functions.newUser()
    const first = { profile: { display_name: 'Ann', avatar_id: null }, settings }
    expect((await user.call('account.read')).body).toEqual(first)
    expect(await listKeys(user)).toEqual(['PROFILE'])
    const renamed = await user.call('account.save', { body: { display_name: ' Ann\n of Cleves ' } })
    expect(renamed.body).toEqual({ ...first, profile: { display_name: 'Ann of Cleves', avatar_id: null } })
    const chosen = await user.call('account.settings', { body: { theme: 'dark', store_uploads: false } })
    expect(chosen.body).toEqual({
      ...renamed.body,
      settings: { ...settings, theme: 'dark', store_uploads: false },
    })
    expect((await user.call('account.read')).body).toEqual(chosen.body)
  })

  it.each([
    ['account.save', 'display_name', 'profile'],
    ['account.settings', 'instructions', 'settings'],
  ] as const)('%s does not overwrite a text that the sender has not seen', async (route, field, part) => {
    const user = await functions.newUser()
    // the name from the sign-up
    const seen = field === 'display_name' ? 'Ann' : ''
    await user.call('account.read')
    const save = (text: string, before: string) =>
      user.call(route, { body: { [field]: text, [`${field}_seen`]: before } })
    expect((await save('One', seen)).statusCode).toBe(200)
    expect(await save('Two', seen)).toMatchObject(
      buildRefusal(
        409,
        'changed_elsewhere',
        'This was changed elsewhere in the meantime. Compare the texts and save again.',
      ),
    )
    // the same write again, such as one whose answer was lost
    expect((await save('One', seen)).statusCode).toBe(200)
    const other = field === 'instructions' ? { theme: 'dark' } : { avatar_id: null }
    const repeated = await user.call(route, { body: { [field]: 'One', [`${field}_seen`]: seen, ...other } })
    expect(repeated).toMatchObject({ statusCode: 200, body: { [part]: other } })
    expect((await save('Two', 'One')).body).toMatchObject({ [part]: { [field]: 'Two' } })
  })

  it('has no name and is not stored while the user pool does not know the user', async () => {
    const user = await functions.newUser()
    await deleteAtPool(user)
    const log = captureLog()
    const { statusCode, body } = await user.call('account.read')
    expect([statusCode, body]).toEqual([200, { profile: { display_name: '', avatar_id: null }, settings }])
    expect(log()).toContain('"message":"failed to create the profile"')
    expect(log()).toContain('"name":"InvalidToken"')
    expect(await listKeys(user)).toEqual([])
  })
})

describe('the profile picture', () => {
  const pictureNotFound = buildRefusal(
    404,
    'picture_not_found',
    'This picture is not there any more. Please choose it again.',
  )

  it('is the one that was saved last; unsaved uploads are kept for a day', async () => {
    const user = await functions.newUser()
    const read = (avatarId: string) => user.call('account.avatar', { params: { avatarId } })
    const save = (avatar_id: string | null) => user.call('account.save', { body: { avatar_id } })
    const [first, second, unsaved] = [
      await upload(user),
      await upload(user, buildWebp(200)),
      await upload(user),
    ]
    expect((await read(first)).body).toEqual({ type: 'image/webp', data: buildWebp().toString('base64') })
    expect((await save(first)).body).toMatchObject({ profile: { avatar_id: first } })
    await user.call('account.save', { body: { display_name: 'Ann' } })
    expect((await read(first)).statusCode).toBe(200)
    expect((await save(second)).body).toMatchObject({ profile: { display_name: 'Ann', avatar_id: second } })
    expect(await read(first)).toMatchObject(pictureNotFound)
    expect((await read(second)).body['data']).toBe(buildWebp(200).toString('base64'))
    expect((await save(null)).body).toMatchObject({ profile: { avatar_id: null } })
    const rows = await queryAll(functions.table, { partition: `U#${user.sub}`, prefix: 'AVATAR#' })
    expect(rows).toMatchObject([{ SK: `AVATAR#${unsaved}`, ttl: Math.floor(startMs / 1_000) + 86_400 }])
  })

  it('of uploads that are not saved, only the newest few are kept', async () => {
    const user = await functions.newUser()
    const saved = await upload(user)
    await user.call('account.save', { body: { avatar_id: saved } })
    for (let count = 0; count < 8; count += 1) await upload(user)
    const newest = await upload(user)
    const rows = await queryAll(functions.table, { partition: `U#${user.sub}`, prefix: 'AVATAR#' })
    const ids = rows.map(({ SK }) => String(SK).slice('AVATAR#'.length))
    expect(ids).toHaveLength(6)
    expect(ids).toEqual(expect.arrayContaining([saved, newest]))
  })

  it('cannot be saved when it does not exist or belongs to another user', async () => {
    const [user, other] = [await functions.newUser(), await functions.newUser()]
    for (const avatar_id of [crypto.randomUUID(), await upload(other)]) {
      expect(await user.call('account.save', { body: { display_name: 'x', avatar_id } })).toMatchObject(
        pictureNotFound,
      )
      expect(await user.call('account.avatar', { params: { avatarId: avatar_id } })).toMatchObject(
        pictureNotFound,
      )
    }
    expect((await user.call('account.read')).body).toMatchObject({ profile: { display_name: 'Ann' } })
  })

  it('must be a WebP or JPEG of at most 60 kB', async () => {
    const user = await functions.newUser()
    const put = (bytes: Buffer) =>
      user.call('account.uploadAvatar', { body: { data: bytes.toString('base64') } })
    const notAPicture = buildRefusal(
      400,
      'not_a_picture',
      'This is not a picture that can be used. Please choose another one.',
    )
    expect((await put(buildWebp(maxAvatarBytes - 20))).statusCode).toBe(200)
    expect(await put(buildWebp(maxAvatarBytes))).toMatchObject(buildRefusal(400, 'bad_request'))
    expect(await put(Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'))).toMatchObject(notAPicture)
    expect(await put(Buffer.from('\0\0\0\0\0\0\0\0WEBP', 'latin1'))).toMatchObject(notAPicture)
  })
})

describe('memories', () => {
  it('can be added, listed, edited and deleted, but never by another user', async () => {
    const [ann, bob] = [await functions.newUser(), await functions.newUser()]
    const list = async (user = ann) => (await user.call('memory.list')).body['memories']
    expect(await list()).toEqual([])
    const { body } = await ann.call('memory.add', { body: { text: ' Lives in Oslo ' } })
    const memory = body['memory'] as { id: string }
    expect(memory).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      text: 'Lives in Oslo',
      version: 1,
      created_at: expect.any(String) as string,
    })
    const params = { memoryId: memory.id }
    const change = { params, body: { text: 'Lives in Bergen', version: 1 } }
    expect(await bob.call('memory.update', change)).toMatchObject(buildRefusal(404, 'memory_not_found'))
    await bob.call('memory.delete', { params })
    await bob.call('memory.clear')
    expect(await list()).toEqual([memory])
    const edited = { ...memory, text: 'Lives in Bergen', version: 2 }
    expect((await ann.call('memory.update', change)).body).toEqual({ memory: edited })
    const outdatedChange = { params, body: { text: 'Lives in Rome', version: 1 } }
    expect(await ann.call('memory.update', outdatedChange)).toMatchObject(buildRefusal(409, 'memory_changed'))
    expect(await list()).toEqual([edited])
    expect((await ann.call('memory.delete', { params })).body).toEqual({ success: true })
    await ann.call('memory.add', { body: { text: 'Has two cats' } })
    expect((await ann.call('memory.clear')).body).toEqual({ success: true })
    expect(await list()).toEqual([])
  })

  it('must have between 1 and 500 characters', async () => {
    const user = await functions.newUser()
    for (const text of ['', ' \n', 'x'.repeat(501)])
      expect(await user.call('memory.add', { body: { text } })).toMatchObject(
        buildRefusal(400, 'bad_request'),
      )
    expect((await user.call('memory.add', { body: { text: 'x'.repeat(500) } })).statusCode).toBe(200)
  })
})

describe('the stored data of a user', () => {
  it('is counted as the user would count it, without what was deleted', async () => {
    const user = await functions.newUser()
    await createConversation(user, 'one')
    // PROFILE and xM# count as nothing
    for (const SK of ['A#1', 'I#1', 'C#1', 'C#2', 'T#1', 'T#2', 'T#3', 'LEDGER#1', 'PROFILE', 'xM#'])
      await putRow(user, SK, {})
    await putRow(user, 'MEMORIES', { memories: { aaaaaaaa: {}, bbbbbbbb: {} } })
    await putRow(user, 'S#gone', { deleted_at: '2026-01-01' })
    expect((await user.call('account.storedData')).body).toEqual({
      conversations: 1,
      messages: 2,
      files: 1,
      integrations: 1,
      credentials: 2,
      custom_tools: 3,
      tool_calls: 1,
      memories: 2,
      projects: 0,
    })
  })

  it('is exported as one archive that must not be cached', async () => {
    const user = await functions.newUser()
    await createConversation(user, 'aaaaaaaa-1')
    await putFile(user, '11111111-1', 'hello')
    const avatar_id = await upload(user)
    await user.call('account.save', { body: { avatar_id } })
    const { statusCode, body } = await user.call('account.export', { body: {} })
    const day = new Date(startMs).toISOString().slice(0, 10)
    const { headers, bytes } = await downloadExport(body)
    expect(statusCode).toBe(200)
    expect(body).toEqual({
      success: true,
      file_name: `export-${day}.zip`,
      size: bytes.length,
      url: expect.stringContaining(`/exports/${user.sub}.zip?`) as unknown,
      ends_at: new Date(startMs + 3_600_000).toISOString(),
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="export-${day}.zip"`,
      'cache-control': 'private, no-store',
    })
    const files = unzip(bytes)
    expect([...files.keys()]).toEqual([
      'account.json',
      'tool-calls.json',
      'integrations.json',
      'picture.webp',
      'files/11111111 notes.txt',
      'conversations/2026-03-01 Tea aaaaaaaa.json',
      'conversations/2026-03-01 Tea aaaaaaaa.md',
    ])
    expect(JSON.parse(files.get('account.json') ?? '')).toEqual({
      exported_at: new Date(startMs).toISOString(),
      id: user.sub,
      email: user.email,
      name: 'Ann',
      profile: { display_name: 'Ann', avatar_id },
      last_active_at: expect.stringMatching(/:00:00\.000Z$/) as string,
      settings,
    })
    expect(files.get('files/11111111 notes.txt')).toBe('hello')
    expect(files.get('conversations/2026-03-01 Tea aaaaaaaa.md')).toContain('Tea 2')
  })

  it('is exported without the e-mail address when the user pool does not return it', async () => {
    const user = await functions.newUser()
    await deleteAtPool(user)
    const log = captureLog()
    const { bytes } = await downloadExport((await user.call('account.export', { body: {} })).body)
    const account = JSON.parse(unzip(bytes).get('account.json') ?? '') as object
    expect(Object.keys(account)).toEqual(['exported_at', 'id', 'last_active_at', 'profile', 'settings'])
    expect(log()).toMatch(/"message":"exported without the user pool attributes".*"name":"InvalidToken"/)
  })

  it('reports an archive that cannot be stored in a response that has already started', async () => {
    const user = await functions.newUser()
    const send = vi.spyOn(S3Client.prototype, 'send').mockRejectedValue(new Error('down') as never)
    onTestFinished(() => send.mockRestore())
    const { statusCode, body } = await user.call('account.export', { body: {} })
    expect([statusCode, body]).toEqual([
      200,
      {
        success: false,
        error: 'Files cannot be reached right now. Please try again in a moment.',
        code: 'store_unavailable',
        requestId: expect.any(String) as unknown,
      },
    ])
  })

  it('can be exported five times a day', async () => {
    const todayStartMs = Math.floor(startMs / 86_400_000) * 86_400_000
    vi.setSystemTime(todayStartMs + 8 * 3_600_000 + 1)
    const user = await functions.newUser()
    const requestExport = () => user.call('account.export', { body: {} })
    for (let times = 0; times < exportsPerDay; times += 1)
      expect((await requestExport()).statusCode).toBe(200)
    const message = 'You have exported your data as often as one day allows. Please try again'
    expect(await requestExport()).toMatchObject({
      ...buildRefusal(429, 'too_many_exports', `${message} in 16 hours.`),
      headers: { 'retry-after': String(16 * 3_600) },
    })
    const midnight = todayStartMs + 86_400_000
    vi.setSystemTime(midnight - 600_000)
    // the token has expired meanwhile
    const again = await user.signInAgain()
    const refused = await again.call('account.export', { body: {} })
    expect(refused).toMatchObject(buildRefusal(429, 'too_many_exports', `${message} in 10 minutes.`))
    vi.setSystemTime(midnight)
    expect((await again.call('account.export', { body: {} })).statusCode).toBe(200)
  })

  it('keeps everything but the conversations when they are deleted', async () => {
    const [user, other] = [await functions.newUser(), await functions.newUser()]
    for (const id of ['one', 'two']) await createConversation(user, id)
    await createConversation(other, 'one')
    await putRow(user, 'T#1', {})
    expect((await user.call('account.forgetConversations')).body).toEqual({ deleted: 2, remaining: 0 })
    expect((await user.call('account.forgetConversations')).body).toEqual({ deleted: 0, remaining: 0 })
    expect((await user.call('account.storedData')).body).toMatchObject({
      conversations: 0,
      messages: 0,
      custom_tools: 1,
    })
    expect((await other.call('account.storedData')).body).toMatchObject({ conversations: 1, messages: 2 })
  })
})

describe('signing out everywhere', () => {
  it('ends the sign-ins at the user pool and revokes earlier tokens', async () => {
    const user = await functions.newUser()
    const { tokens } = await functions.pool.signIn(user)
    expect((await user.call('account.signOutEverywhere', { body: {} })).body).toEqual({ success: true })
    expect(await user.call('account.read')).toMatchObject(buildRefusal(401, 'invalid_token'))
    expect(await user.call('account.erase', { body: { confirm: 'DELETE' } })).toMatchObject(
      buildRefusal(401, 'invalid_token'),
    )
    const refreshTokens = new GetTokensFromRefreshTokenCommand({
      ClientId: functions.pool.clientId,
      RefreshToken: tokens.refresh,
    })
    await expect(functions.pool.client.send(refreshTokens)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
    setSecondsAfterStart(1)
    expect((await (await user.signInAgain()).call('account.read')).statusCode).toBe(200)
  })

  it('fails and revokes nothing when the user pool fails', async () => {
    const user = await functions.newUser()
    await deleteAtPool(user)
    expect(await user.call('account.signOutEverywhere', { body: {} })).toMatchObject(
      buildRefusal(401, 'invalid_token'),
    )
    expect((await user.call('account.read')).statusCode).toBe(200)
  })
})

describe('erasing the account', () => {
  const confirm = { body: { confirm: 'DELETE' as const } }
  const confirmWith = (proof: object) => ({ body: { ...confirm.body, ...proof } })
  const proofRequired = buildRefusal(403, 'proof_required')

  it('removes everything everywhere, and returns a receipt', async () => {
    const user = await functions.newUser()
    const other = await functions.newUser()
    await createConversation(other, 'stays')
    await createConversation(user, 'one')
    const readFile = await putFile(user, '22222222-2', 'hello')
    await user.enrol()
    await putRow(user, 'T#1', {
      name: 'Mine',
      description: '',
      server_url: 'https://mine.example',
      masks: {},
      is_active: true,
      created_at: '2026-03-01',
    })
    const { statusCode, body } = await user.call('account.erase', confirm)
    expect([statusCode, body]).toEqual([
      200,
      {
        success: true,
        done: true,
        receipt: {
          held: {
            conversations: 1,
            messages: 2,
            files: 1,
            integrations: 0,
            credentials: 0,
            custom_tools: 1,
            tool_calls: 0,
            memories: 0,
            projects: 0,
          },
          asked_at: new Date(startMs).toISOString(),
          backups_end_at: new Date(startMs + 35 * 86_400_000).toISOString(),
        },
      },
    ])
    expect(await listKeys(user)).toEqual([])
    expect(await queryAll(functions.table, { partition: `RATE#${user.sub}`, prefix: '' })).toEqual([])
    await expect(readFile()).rejects.toMatchObject({ name: 'NoSuchKey' })
    const getUser = new AdminGetUserCommand({ UserPoolId: functions.pool.userPoolId, Username: user.sub })
    await expect(functions.pool.client.send(getUser)).rejects.toMatchObject({ name: 'UserNotFoundException' })
    const [name] = await functions.seal.fingerprints('two-factor e-mail', user.email)
    expect(await functions.factors.findOwner(name)).toBeUndefined()

    expect(await user.call('account.read')).toMatchObject(buildRefusal(401, 'invalid_token'))
    // repeated as after a lost response, with a sign-in of any age
    const again = await (await user.signedInSecondsAgo(2_000)).call('account.erase', confirm)
    expect(again.body).toMatchObject({ done: true, receipt: { held: { conversations: 0 } } })
    expect((await other.call('account.storedData')).body).toMatchObject({ conversations: 1 })
  })

  it('DEC-191 needs no scope aws.cognito.signin.user.admin, nor does signing out everywhere, because tokens of a provider’s accounts have none', async () => {
    const user = await functions.newUser()
    const refreshed = await (await user.signInAgain()).refresh()
    const getUser = new GetUserCommand({ AccessToken: refreshed.accessToken })
    await expect(functions.pool.client.send(getUser)).rejects.toThrow(/scope/i)
    expect((await refreshed.call('account.signOutEverywhere', { body: {} })).body).toEqual({ success: true })
    setSecondsAfterStart(1)
    const again = await (await user.signInAgain()).refresh()
    expect((await again.call('account.erase', confirm)).body).toMatchObject({ done: true })
  })

  it('requires a sign-in of the last 15 minutes', async () => {
    const user = await functions.newUser()
    const refused = buildRefusal(
      403,
      'sign_in_again',
      'This needs a sign-in from the last 15 minutes. Please sign in again.',
    )
    expect(await (await user.signedInSecondsAgo(901)).call('account.erase', confirm)).toMatchObject(refused)
    expect((await user.call('account.read')).statusCode).toBe(200)
    const { body } = await (await user.signedInSecondsAgo(899)).call('account.erase', confirm)
    expect(body).toMatchObject({ done: true })
  })

  it('requires the second factor, unless the sign-in is at most 5 minutes old', async () => {
    const user = await functions.newUser()
    const { code } = await user.enrol()
    const oldSignIn = await user.signedInSecondsAgo(600)
    expect(await oldSignIn.call('account.erase', confirm)).toMatchObject(proofRequired)
    expect(await oldSignIn.call('account.erase', confirmWith({ token: code(0) }))).toMatchObject(
      buildRefusal(400, 'invalid_code'),
    )
    expect((await user.call('account.read')).statusCode).toBe(200)
    const { body } = await oldSignIn.call('account.erase', confirmWith({ token: code(1) }))
    expect(body).toMatchObject({ done: true })
  })

  it('requires the second factor also when it is switched off only at Cognito, or known only to Cognito', async () => {
    const [one, two] = [await functions.newUser(), await functions.newUser()]
    for (const user of [one, two]) await user.enrol()
    await functions.pool.client.send(
      new AdminSetUserMFAPreferenceCommand({
        UserPoolId: functions.pool.userPoolId,
        Username: one.sub,
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      }),
    )
    await functions.factors.remove(two.sub)
    for (const user of [one, two])
      expect(await (await user.signedInSecondsAgo(600)).call('account.erase', confirm)).toMatchObject(
        proofRequired,
      )
  })
})
