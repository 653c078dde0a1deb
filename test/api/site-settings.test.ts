/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { siteSettingsKey } from '../../functions/platform/site-settings.ts'
import { beginStream, says, startFakeModel } from '../support/fake-model-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

const model = await startFakeModel(says('Fine.'))
afterAll(() => model.close())

/** A product whose administrator has set this, before any function has read it. */
function siteWith(settings: Record<string, unknown>) {
  const holder: { stack?: LocalStack } = {}
  beforeAll(async () => {
    const models = [{ id: 'small' }, { id: 'large' }]
    holder.stack = await startStack({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: 'small',
        MODELS: JSON.stringify(models),
        MODEL_API: 'chat',
        OPENAI_TRANSCRIPTION_MODEL: 'listener',
      },
    })
    const table = await openStackTable(holder.stack)
    await table.putRow({ ...siteSettingsKey, ...settings })
    table.close()
  })
  afterAll(() => holder.stack?.stop())
  return {
    get stack(): LocalStack {
      if (!holder.stack) throw new Error('not started')
      return holder.stack
    },
  }
}

const readSite = async ({ origin }: LocalStack) => (await fetch(`${origin}/api/site`)).json()
const question = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

describe('a site with settings of its administrator', () => {
  const site = siteWith({
    tokensPerDay: 20_000,
    defaultModel: 'large',
    instructions: 'Never give legal advice.',
    notice: { text: 'Back at 15:00', kind: 'info', until: '2020-01-01T00:00:00.000Z' },
  })
  let ann: StackUser
  beforeAll(async () => {
    ann = await site.stack.newUser()
  })

  it('the default model is that of the list, of the account and of new replies, and the prompt has the rules', async () => {
    expect(await ann.call('models.list')).toMatchObject({
      models: [
        { id: 'small', isDefault: false },
        { id: 'large', isDefault: true },
      ],
    })
    expect(await ann.call('account.read')).toMatchObject({ default_model: 'large' })
    let asked: Record<string, unknown> = {}
    model.behave((response, request, body) => {
      asked = body as unknown as Record<string, unknown>
      return says('Fine.')(response, request, body)
    })
    await ann.call('chat.send', { body: question('Hello') })
    expect(asked).toMatchObject({ model: 'large' })
    expect(JSON.stringify(asked)).toContain('Never give legal advice.')
  })

  it('the tokens of a user are limited, and the user sees the limit', async () => {
    expect(JSON.stringify(await ann.call('account.usage'))).toContain('20000')
    const ben = await site.stack.newUser()
    await ben.call('chat.send', { body: question('A long prompt. '.repeat(6_600)) })
    expect(await ben.send('chat.send', { body: question('More') })).toMatchObject({
      status: 429,
      body: { code: 'budget' },
    })
  })

  it('a notice whose time is over is not shown', async () => {
    expect(await readSite(site.stack)).toEqual({ notice: null, signUp: 'open', replies: 'on' })
  })
})

describe('a site whose replies are stopped', () => {
  const site = siteWith({
    replies: 'off',
    notice: { text: 'Costs ran away.', kind: 'warning' },
    siteTokensPerDay: 1_000_000,
  })

  it('refuses new replies and dictation with a code, and asks no model', async () => {
    const ann = await site.stack.newUser()
    let requests = 0
    model.behave((response) => {
      requests += 1
      beginStream(response)
      response.end()
    })
    const stopped = { status: 503, body: { success: false, code: 'replies_stopped' } }
    expect(await ann.send('chat.send', { body: question('Hello') })).toMatchObject(stopped)
    const temporary = { ...question('Hello'), sessionId: crypto.randomUUID(), keep: false }
    expect(await ann.send('chat.send', { body: temporary })).toMatchObject(stopped)
    const { status } = await fetch(`${site.stack.origin}/api/speech/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': 'audio/wav', authorization: `Bearer ${ann.accessToken}` },
      body: new Uint8Array((await import('../support/recordings.ts')).quietWav(2_000)),
    })
    expect([status, requests]).toEqual([503, 0])
    expect(await ann.call('sessions.list')).toMatchObject({ sessions: [] })
  })

  it('tells visitors so', async () => {
    expect(await readSite(site.stack)).toEqual({
      notice: { text: 'Costs ran away.', kind: 'warning' },
      signUp: 'open',
      replies: 'off',
    })
  })
})
