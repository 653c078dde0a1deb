/** @module-tag long */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userHash } from '../../functions/platform/telemetry/logger.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { beginStream, calls, chunk, says, startFakeModel } from '../support/fake-model-server.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'
import { redeem } from '../support/two-factor.ts'
import { presign, uploadFile } from '../support/upload.ts'

const overBudget = { status: 429, body: { success: false, code: 'budget' } }
/** more than 22,000 tokens */
const longPrompt = 'A long prompt. '.repeat(4_400)

const model = await startFakeModel(says('Fine.'))
afterAll(() => model.close())
beforeEach(() => model.behave(says('Fine.')))

const question = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

/** A product whose model the tests control. */
function aStack(env: Record<string, string>) {
  const holder: { stack?: LocalStack } = {}
  beforeAll(async () => {
    holder.stack = await startStack({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_IMAGE_MODEL: 'fake-image', ...env },
    })
  })
  afterAll(() => holder.stack?.stop())
  return {
    get stack(): LocalStack {
      if (!holder.stack) throw new Error('not started')
      return holder.stack
    },
  }
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Generates requested images and counts them, and answers everything else as given. */
function countImagesAnd(answer: Parameters<typeof model.behave>[0], images: { count: number }) {
  return model.behave((response, request, body) => {
    if (!request.url?.endsWith('/images/generations')) return answer(response, request, body)
    images.count += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ data: [{ b64_json: pixel }] }))
  })
}

const eightyImages = Array.from({ length: 80 }, (_, index) => ({
  id: `c${index}`,
  name: 'generate_image',
  arguments: JSON.stringify({ prompt: `image ${index}` }),
}))

/** Its limits are per user, and each test has its own users. */
const userLimits = aStack({ TOKENS_PER_DAY: '60000', IMAGES_PER_DAY: '5' })

describe('daily budget of one user', () => {
  let ann: StackUser
  beforeEach(async () => {
    ann = await userLimits.stack.newUser()
  })
  const send = (content: string) => ann.send('chat.send', { body: question(content) })

  it('80 images in one message: as many are generated as the daily limit allows, and the model learns of the limit (H6)', async () => {
    const images = { count: 0 }
    let modelCalls = 0
    countImagesAnd((...args) => {
      modelCalls += 1
      return modelCalls === 1 ? calls(...eightyImages)(...args) : says('Some of them.')(...args)
    }, images)
    const { toolCalls, content } = await ann.call('chat.send', { body: question('Draw me 80 images') })
    expect(images.count).toBe(5)
    expect(content).toBe('Some of them.')
    expect(toolCalls.filter(({ result }) => result.success)).toHaveLength(5)
    const refusals = toolCalls.map(({ result }) => result.error ?? '')
    expect(
      refusals.filter((error) => error.startsWith('The user has reached the daily limit for images')),
    ).toHaveLength(11)
    expect(refusals.filter((error) => error.startsWith('Too many calls in one step.'))).toHaveLength(64)
  })

  it('DEC-122 three long prompts stopped after the first word all count, and the next one is refused before the model is called (H6)', async () => {
    model.behave((response) => {
      beginStream(response)
      response.write(chunk({ content: 'One' }))
    })
    const countReplies = async () => (await ann.call('account.usage')).total?.replies ?? 0
    const repliesBefore = await countReplies()
    for (let prompt = 1; prompt <= 3; prompt += 1) {
      const sessionId = crypto.randomUUID()
      let runId: string | undefined
      for await (const { event } of ann.stream({ ...question(longPrompt), sessionId })) {
        if (event === '[DONE]') break
        if (event.type === 'start') runId = event.messageMetadata.runId
        if (event.type === 'text-delta')
          await ann.call('runs.stop', { params: { sessionId }, body: runId === undefined ? {} : { runId } })
      }
      // a reply is settled after its last event
      await expect.poll(countReplies).toBe(repliesBefore + prompt)
    }
    expect(model.requests).toHaveLength(3)
    const refused = await send('Hello')
    expect(refused).toMatchObject(overBudget)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(model.requests).toHaveLength(3)
    model.behave(says('Fine.'))
    const other = await userLimits.stack.newUser()
    expect(await other.call('chat.send', { body: question('Hello') })).toMatchObject({ content: 'Fine.' })
  })

  it.each([
    [
      'cut in the middle',
      (response: Parameters<typeof beginStream>[0]) => {
        beginStream(response)
        response.write(chunk({ content: 'One' }))
        setImmediate(() => response.destroy())
      },
    ],
    [
      'answered with a failure',
      (response: Parameters<typeof beginStream>[0]) => response.writeHead(500).end('{}'),
    ],
  ])('long prompts that are %s count as well (H6)', async (_, behave) => {
    model.behave(behave)
    for (let prompt = 1; prompt <= 3; prompt += 1) expect((await send(longPrompt)).status).not.toBe(429)
    expect(await send(longPrompt)).toMatchObject(overBudget)
  })

  it('a reply with an endless loop of tool calls is ended by the budget: its text is kept with the reason (H6)', async () => {
    const sessionId = crypto.randomUUID()
    const long = 'x'.repeat(60_000)
    model.behave((...args) =>
      calls({ id: crypto.randomUUID(), name: 'nothing', arguments: JSON.stringify({ long }) })(...args),
    )
    const { content, success } = await ann.call('chat.send', { body: { ...question('Go on'), sessionId } })
    expect(success).toBe(true)
    expect(content).toContain("You have reached today's limit for replies.")
    expect(model.requests.length).toBeLessThan(4)
    const { messages, run } = await ann.call('sessions.read', { params: { sessionId } })
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content })
    expect(run).toMatchObject({ status: 'incomplete' })
    expect(await send('Hello')).toMatchObject(overBudget)
  })

  it('DEC-189 a group has its own limits, also per month, and the refusal says whom to ask', async () => {
    const access = { origin: userLimits.stack.origin, cognito: (await userLimits.stack.endpoints()).cognito }
    const operator = await userLimits.stack.newUser()
    await grantAdmin(userLimits.stack, operator.email)
    const admin = await signInUser(access, operator)
    await admin.call('admin.createGroup', {
      body: {
        name: 'interns',
        description: '',
        limits: {
          tokens_per_month: 22_500,
          uploads_per_day: 0,
          max_schedules: 1,
          tools: 'catalogue',
        },
      },
    })
    await admin.call('admin.setGroups', {
      params: { userId: ann.sub },
      body: { add: ['interns'], remove: [] },
    })
    const member = await signInUser(access, ann)
    expect((await member.call('account.read')).limits).toEqual({ tools: 'catalogue', max_schedules: 1 })
    const { success } = await member.call('chat.send', { body: question('Hello') })
    expect(success).toBe(true)
    expect(await member.send('chat.send', { body: question(longPrompt) })).toMatchObject({ status: 200 })
    expect(await member.send('chat.send', { body: question('Hello') })).toMatchObject({
      ...overBudget,
      body: {
        error: expect.stringMatching(
          /^You have reached this month's limit for replies\. It is 22,500 tokens, .* Your administrator can raise it\.$/,
        ) as string,
      },
    })
    expect(
      await member.send('files.presign', { body: { name: 'a.txt', type: 'text/plain', size: 1 } }),
    ).toMatchObject({
      status: 429,
      body: { code: 'too_many_uploads' },
    })
    const tool = { name: 'Mine', description: '', config: { serverUrl: '', apiKey: '', customFields: {} } }
    expect(await member.send('customTools.add', { body: tool })).toMatchObject({
      status: 403,
      body: { code: 'connection_not_allowed' },
    })
    expect((await member.call('account.usage')).month?.tokens?.limit).toBe(22_500)
  })

  it('DEC-176 users see their own usage, and the operator sees it by a hash', async () => {
    const sessionId = crypto.randomUUID()
    await ann.call('chat.send', { body: { ...question('Hello'), sessionId } })
    const { session, messages } = await ann.call('sessions.read', { params: { sessionId } })
    const { inputTokens = 0, outputTokens = 0 } = messages.at(-1)?.usage ?? {}
    expect(session.usage).toMatchObject({ inputTokens, outputTokens })
    const usage = { replies: 1, inputTokens, outputTokens }
    // a reply is settled after its last event
    await expect
      .poll(() => ann.call('account.usage'))
      .toMatchObject({ days: [usage], total: usage, today: { tokens: { limit: 60_000 } } })
    const command = ['infra/operate/usage.ts', '--url', userLimits.stack.origin, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { ...childEnvironment, LOCAL_DATA_DIR: userLimits.stack.dataDir },
    })
    const { lines } = JSON.parse(stdout) as { lines: { user: string }[] }
    expect(lines.find(({ user }) => user === userHash(ann.sub))).toMatchObject(usage)
    expect(stdout).not.toContain(ann.sub)
  })

  it('60 replies at once: 3 are written, and the others are refused before the model is called (H6)', async () => {
    const othersRefused = Promise.withResolvers<undefined>()
    model.behave((response) => {
      beginStream(response)
      response.write(chunk({ content: 'One' }))
      void othersRefused.promise.then(() => {
        response.write(chunk({}, 'stop'))
        response.end('data: [DONE]\n\n')
      })
    })
    // the minute's budget of messages is 60
    const replies = Array.from({ length: 60 }, () => send('Hello'))
    let refusedCount = 0
    for (const reply of replies)
      void reply.then(({ status }) => {
        if (status !== 429) return
        refusedCount += 1
        if (refusedCount === 57) othersRefused.resolve(undefined)
      })
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    // 60,000 tokens are three reservations
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(model.requests).toHaveLength(3)
  })
})

describe('daily budget of the whole deployment', () => {
  const site = aStack({ SITE_TOKENS_PER_DAY: '40000' })

  it('is used up by one user, and nobody gets a reply until midnight (H6)', async () => {
    const [ann, ben] = await Promise.all([site.stack.newUser(), site.stack.newUser()])
    model.behave((response) => response.writeHead(500).end('{}'))
    for (let prompt = 1; prompt <= 2; prompt += 1) await ann.send('chat.send', { body: question(longPrompt) })
    model.behave(says('Fine.'))
    const sessionId = crypto.randomUUID()
    const refused = await ben.send('chat.send', { body: { ...question('Hello'), sessionId } })
    expect(refused).toMatchObject(overBudget)
    expect(String((refused.body as { error: string }).error)).toContain('limit for all users')
    expect(model.requests).toHaveLength(0)
    // nothing of it is stored: the same message can be sent again tomorrow
    expect((await ben.call('sessions.list')).sessions).toEqual([])
  })
})

describe('occupying the functions', () => {
  it('40 event streams: an account can have 4 at a time, and a finished one frees its place (M3)', async () => {
    const [ann, ben] = await Promise.all([userLimits.stack.newUser(), userLimits.stack.newUser()])
    let end: () => void = () => undefined
    model.behave((response) => {
      beginStream(response)
      response.write(chunk({ content: 'One' }))
      end = () => {
        response.write(chunk({}, 'stop'))
        response.end('data: [DONE]\n\n')
      }
    })
    const startReply = async (user: StackUser) => {
      const sessionId = crypto.randomUUID()
      const events = user.stream({ ...question('Hello'), sessionId })
      for await (const { event } of events) if (event !== '[DONE]' && event.type === 'text-delta') break
      return { sessionId, user }
    }
    const reply = await startReply(ann)
    const open = ({ user, sessionId }: typeof reply) =>
      fetch(`${userLimits.stack.origin}/api/sessions/${sessionId}/run/events`, {
        headers: { authorization: `Bearer ${user.accessToken}` },
      })
    // no more are open: a stream ends by itself after half a minute, and frees its place
    const responses = await Promise.all(Array.from({ length: 40 }, () => open(reply)))
    const accepted = responses.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(4)
    const refused = responses.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused?.json()).toMatchObject({ success: false, code: 'too_many_streams' })
    end()
    for (const response of accepted) await response.text()
    const again = await open(reply)
    expect(again.status).toBe(200)
    await again.text()
    expect((await open(await startReply(ben))).status).toBe(200)
    end()
  })

  it(
    'DEC-122 reads are limited to 600 a minute, then get 429 with Retry-After (M3)',
    { tags: 'trial' },
    async () => {
      const ann = await userLimits.stack.newUser()
      const statuses: number[] = []
      // a new minute may start once in between
      while (statuses.length < 1_300 && !statuses.includes(429)) {
        const batch = Array.from({ length: 100 }, () => ann.send('mfa.status'))
        statuses.push(...(await Promise.all(batch)).map(({ status }) => status))
      }
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600)
      expect(statuses).toContain(429)
    },
  )

  it('200 anonymous attempts with backup codes from 200 addresses: 60 a minute are checked, for known and unknown addresses alike (M3)', async () => {
    const ann = await userLimits.stack.newUser()
    const ask = (email: string) =>
      redeem(userLimits.stack, { email, token: '0000000000', isBackupCode: true })
    // not all at once: a count that takes seconds is retried, and may then count twice
    const replies: Awaited<ReturnType<typeof ask>>[] = []
    while (replies.length < 200) {
      const batch = Array.from({ length: 20 }, () => ask(`${crypto.randomUUID()}@example.com`))
      replies.push(...(await Promise.all(batch)))
    }
    const checked = replies.filter(({ status }) => status === 400)
    // a new minute may start once in between
    expect(checked.length).toBeGreaterThanOrEqual(60)
    expect(checked.length).toBeLessThanOrEqual(120)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(200 - checked.length)
    expect(refused[0]?.body).toMatchObject({ success: false, code: 'too_many_requests' })
    // signed-in users are not affected
    expect(await ann.send('mfa.verify', { body: { token: '000000' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
  })

  it('DEC-122 an account has five exports a day (M4)', async () => {
    const ann = await userLimits.stack.newUser()
    const exportData = () => ann.send('account.export', { body: {} })
    for (let count = 1; count <= 5; count += 1) expect((await exportData()).status).toBe(200)
    expect(await exportData()).toMatchObject({ status: 429, body: { code: 'too_many_exports' } })
    expect((await ann.call('account.read')).profile).toBeDefined()
  })
})

describe('stored bytes', () => {
  const smallStorage = aStack({ STORAGE_GB_PER_USER: '0.001' })
  const file = (name: string, bytes: number) => ({ name, type: 'text/plain', content: 'x'.repeat(bytes) })
  const storageFull = { status: 413, body: { success: false, code: 'storage_full' } }

  it('announced bytes count before the upload, and deleting frees space (M4)', async () => {
    const ann = await smallStorage.stack.newUser()
    const keptFile = await uploadFile(ann, file('kept.txt', 600_000))
    await presign(ann, file('never-uploaded.txt', 400_000))
    const announce = () =>
      ann.send('files.presign', { body: { name: 'more.txt', type: 'text/plain', size: 200_000 } })
    const refused = await announce()
    expect(refused).toMatchObject(storageFull)
    expect((refused.body as { error: string }).error).toContain('Delete some files, conversations or links')
    const { storage, attachments } = await ann.call('files.list')
    expect(storage).toEqual({ used_bytes: 1_000_000, limit_bytes: 1_073_741 })
    expect(attachments).toHaveLength(1)
    await ann.call('files.delete', { params: { attachmentId: keptFile.id } })
    expect((await announce()).status).toBe(200)
  })

  it('no image is generated without free space, and the model says why (M4)', async () => {
    const ann = await smallStorage.stack.newUser()
    await uploadFile(ann, file('kept.txt', 1_000_000))
    const images = { count: 0 }
    let modelCalls = 0
    countImagesAnd((...args) => {
      modelCalls += 1
      return modelCalls === 1 ? calls(...eightyImages.slice(0, 1))(...args) : says('No room.')(...args)
    }, images)
    const { toolCalls } = await ann.call('chat.send', { body: question('Draw') })
    expect(images.count).toBe(0)
    expect(toolCalls[0]?.result.error).toContain('so there is no room')
  })
})
