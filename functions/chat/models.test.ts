import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { says } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { ask, findOnlyEvent } from '../../test/support/read-along.ts'
import { createModelList } from './model-list.ts'
import type { Model, ModelCall } from '../models/model.ts'

const models = [
  { id: 'small', name: 'Small', vision: true },
  { id: 'large', name: 'Large', efforts: ['low', 'high'] },
]
const backend = await startInProcessFunctions({ OPENAI_MODEL: 'small', MODELS: JSON.stringify(models) })
afterAll(() => backend.close())
beforeEach(() => backend.model.behave(says('Hello.')))

const body = (messageId: string, sessionId = 's1') => ({
  sessionId,
  messageId,
  messages: [{ role: 'user' as const, content: `Message ${messageId}` }],
})
const readListedSession = async (user: InProcessUser) => (await user.call('sessions.list', {})).sessions[0]
const listAskedModels = () => backend.model.requests.map(({ model }) => model)

describe('the model of a reply', () => {
  it('is the default until the user chooses another, which the conversation remembers', async () => {
    const user = await backend.newUser()
    await ask(user, body('m1')).finished
    expect(await readListedSession(user)).toMatchObject({ model: 'small' })
    await ask(user, { ...body('m2'), model: 'large', effort: 'high' }).finished
    await ask(user, body('m3')).finished
    expect(listAskedModels()).toEqual(['small', 'large', 'large'])
    expect(await readListedSession(user)).toMatchObject({ model: 'large', effort: 'high' })
    const conversation = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(conversation.session).toMatchObject({ model: 'large', effort: 'high' })
    expect((await backend.stores.runs.find(user.sub, 's1'))?.effort).toBe('high')
  })

  it('can be another one for a new version of the reply, without the earlier effort', async () => {
    const user = await backend.newUser()
    await ask(user, { ...body('m1'), model: 'large', effort: 'low' }).finished
    await ask(user, { ...body('m2'), model: 'small', replaces: 'm1' }).finished
    expect(listAskedModels()).toEqual(['large', 'small'])
    const session = await readListedSession(user)
    expect(session?.model).toBe('small')
    expect(session).not.toHaveProperty('effort')
    expect(await backend.stores.runs.find(user.sub, 's1')).not.toHaveProperty('effort')
  })

  it('can be chosen when no conversation is stored', async () => {
    const user = await backend.newUser()
    const { sessionId: _, messageId: __, ...statelessBody } = body('m1')
    await ask(user, { ...statelessBody, model: 'large' }).finished
    await ask(user, { ...body('m1', 'temporary'), keep: false, model: 'large' }).finished
    expect(listAskedModels()).toEqual(['large', 'large'])
  })

  it.each([
    [{ model: 'gpt-unlisted' }, 'model_not_available'],
    [{ effort: 'high' }, 'effort_not_available'],
    [{ model: 'large', effort: 'extreme' }, 'effort_not_available'],
  ])('%j is refused: %s, and nothing is stored', async (choice, code) => {
    const user = await backend.newUser()
    for (const requestBody of [body('m1'), { ...body('m1'), sessionId: undefined }]) {
      const { sessionId, ...rest } = requestBody
      const request = { ...rest, ...(sessionId !== undefined && { sessionId }), ...choice }
      await expect(user.call('chat.send', { body: request })).rejects.toThrow(
        new RegExp(`answered 400: .*"code":"${code}"`),
      )
    }
    expect(backend.model.requests).toEqual([])
    expect(await backend.readRows(user)).toEqual([])
    await ask(user, body('m1')).finished
    expect(listAskedModels()).toEqual(['small'])
  })

  it('is the default, with a notice, when the conversation’s model is no longer in the list', async () => {
    const user = await backend.newUser()
    await ask(user, { ...body('m1'), model: 'large', effort: 'low' }).finished
    const row = (await backend.readRows(user)).find(({ SK }) => SK === 'S#s1')
    await backend.putRow({ ...row, model: 'retired' })
    const received = await ask(user, body('m2')).finished
    expect(listAskedModels()).toEqual(['large', 'small'])
    expect(findOnlyEvent(received, 'data-notice').data.code).toBe('model_replaced')
    const { messages } = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(messages.at(-1)?.notices).toMatchObject([{ code: 'model_replaced' }])
    expect(await readListedSession(user)).toMatchObject({ model: 'small' })
  })
})

describe('DEC-189 models that a user’s groups allow', () => {
  // functions read the row once in a minute
  const groups = { small: { models: ['small'] }, paid: { cost_per_day: 5 } }
  const signUpMember = async (...names: (keyof typeof groups)[]) => {
    await backend.putGroups(groups)
    return backend.newUser({ 'cognito:groups': names })
  }

  it('another one is refused with the names of the allowed ones, and nothing is stored', async () => {
    const user = await signUpMember('small')
    await expect(user.call('chat.send', { body: { ...body('m1'), model: 'large' } })).rejects.toThrow(
      /answered 403: .*"You may not use Large\. Please choose Small, or ask your administrator\.","code":"model_not_allowed"/,
    )
    expect(await readListedSession(user)).toBeUndefined()
    await ask(user, { ...body('m1'), model: 'small' }).finished
    expect(listAskedModels()).toEqual(['small'])
  })

  it('an allowed one replies, with a notice, in a conversation whose model is no longer allowed', async () => {
    const user = await backend.newUser()
    await ask(user, { ...body('m1'), model: 'large' }).finished
    await backend.putGroups(groups)
    const member = await backend.signInAgain(user, { 'cognito:groups': ['small'] })
    const received = await ask(member, body('m2')).finished
    expect(findOnlyEvent(received, 'data-notice').data.code).toBe('model_replaced')
    expect(listAskedModels()).toEqual(['large', 'small'])
  })

  it('do not include models without a price when costs are limited', async () => {
    const user = await signUpMember('paid')
    await expect(user.call('chat.send', { body: body('m1') })).rejects.toThrow(
      /You may not use any model\. Please ask your administrator\./,
    )
  })
})

describe('the list of models', () => {
  const round = { text: 'Hi', toolCalls: [], truncated: false, inputTokens: 1, outputTokens: 1 }
  const image = {
    role: 'user' as const,
    content: [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } },
    ],
  }
  function record() {
    const calls: ModelCall[] = []
    const openedIds: string[] = []
    const open = ({ id }: { id: string }): Model => {
      openedIds.push(id)
      return {
        async complete(call) {
          calls.push(call)
          return round
        },
      }
    }
    return { calls, openedIds, open }
  }

  it('opens each model once', () => {
    const { openedIds, open } = record()
    const list = createModelList({ models, defaultId: 'small', open })
    list.open({ id: 'small' })
    list.open({ id: 'small' })
    list.open({ id: 'large' })
    expect(openedIds).toEqual(['small', 'large'])
  })

  it.each([
    [false, ['images'], '[The images could not be shown'],
    [true, [], '"image_url"'],
    [undefined, [], '"image_url"'],
  ])(
    'sends images to a model with vision %s, and says what it leaves out',
    async (vision, expectedOmissions, expectedText) => {
      const { calls, open } = record()
      const model = { id: 'm', ...(vision !== undefined && { vision }) }
      const omissions: string[] = []
      await createModelList({ models: [model], defaultId: 'm', open })
        .open(model)
        .complete({
          messages: [image],
          tools: [],
          signal: new AbortController().signal,
          onText: () => undefined,
          onOmit: (omission) => omissions.push(omission),
        })
      expect(omissions).toEqual(expectedOmissions)
      expect(JSON.stringify(calls[0]?.messages)).toContain(expectedText)
    },
  )

  it('resumes a waiting reply with its model, or with the default if that is gone', () => {
    const list = createModelList({ models, defaultId: 'small', open: record().open })
    expect(list.resume({ model: 'large', effort: 'low' })).toEqual({ model: models[1], effort: 'low' })
    expect(list.resume({})).toEqual({ model: models[0], effort: undefined })
    expect(list.resume({ model: 'retired', effort: 'low' })).toMatchObject({
      model: models[0],
      effort: undefined,
      notice: { code: 'model_replaced' },
    })
  })
})

it('reads as much of a conversation as the largest model may need', () => {
  const open = () => ({}) as Model
  const [small, large] = [
    { id: 'small', contextTokens: 40_000 },
    { id: 'large', contextTokens: 100_000 },
  ]
  const limitHistory = (...entries: { id: string; contextTokens: number }[]) =>
    createModelList({ models: entries, defaultId: 'small', open }).historyLimits.maxCharacters
  expect([limitHistory(small, large), limitHistory(large, small), limitHistory(small)]).toEqual([
    150_000, 150_000, 60_000,
  ])
})
