import { afterAll, expect, it } from 'vitest'
import { beginStream, says, wireFormat } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { ask } from '../../test/support/read-along.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { findCheapest, readTitle } from './conversation-title.ts'

const models = [
  { id: 'test-model', price: { input: 5, output: 10 } },
  { id: 'small-model', api: 'responses', price: { input: 1, output: 2 }, efforts: ['high', 'low'] },
  { id: 'unpriced-model' },
]
const backend = await startInProcessFunctions({
  MODELS: JSON.stringify(models),
  CONVERSATION_TITLES: 'on',
})
afterAll(() => backend.close())

const isTitleRequest = (body: unknown) => JSON.stringify(body).includes('You write the title')
const titleRequests = () => backend.model.requests.filter(isTitleRequest)

async function send(user: InProcessUser, content: string, changes: object = {}) {
  const messages = [{ role: 'user' as const, content }]
  await ask(user, { sessionId: 's1', messageId: crypto.randomUUID(), messages, ...changes }).finished
}
const readTitles = async (user: InProcessUser) =>
  (await user.call('sessions.list')).sessions.map(({ title }) => title)

const question = 'Could you tell me, please, when the last ferry of the day leaves for Nesodden?'
const firstWords = 'Could you tell me, please, when...'

it('DEC-193 the cheapest model titles a conversation after the first reply, within the budget', async () => {
  const user = await backend.newUser()
  backend.model.behave(says('At 23:15.'), says('"**Last ferry to Nesodden.**"'))
  await send(user, question)
  await expect.poll(() => readTitles(user)).toEqual(['Last ferry to Nesodden'])
  const [request] = titleRequests()
  expect(request).toMatchObject({ model: 'small-model', reasoning: { effort: 'low' } })
  expect(JSON.stringify(request)).toContain('At 23:15.')
  expect(JSON.stringify(request)).not.toContain('Files:')
  // counts, but is no reply
  const readDay = async () =>
    (await queryAll(backend.table, { partition: `RATE#${user.sub}`, prefix: 'replies#' }))[0] ?? {}
  const { session } = await user.call('sessions.read', { params: { sessionId: 's1' } })
  const { inputTokens = 0, outputTokens = 0 } = session.usage ?? {}
  await expect
    .poll(async () => Number((await readDay())['input_tokens']))
    .toBeGreaterThan(inputTokens + outputTokens)
  expect(await readDay()).toMatchObject({ replies: 1 })

  backend.model.behave(says('Yes.'))
  await send(user, 'On Sundays, too?')
  expect(titleRequests()).toEqual([])
  expect(await readTitles(user)).toEqual(['Last ferry to Nesodden'])
})

it('until then, and if the model fails, the first words are the title', async () => {
  const user = await backend.newUser()
  let titleAtRequest: string[] = []
  backend.model.behave(says('At 23:15.'), async (response) => {
    titleAtRequest = await readTitles(user)
    response.writeHead(401).end('{}')
  })
  await send(user, question)
  await expect.poll(() => titleRequests().length).toBe(1)
  await expect.poll(() => titleAtRequest).toEqual([firstWords])
  expect(await readTitles(user)).toEqual([firstWords])
})

it('an answer that the server has cut is no title', async () => {
  const user = await backend.newUser()
  backend.model.behave(says('At 23:15.'), (response, request) => {
    const format = wireFormat(request)
    beginStream(response)
    response.write(format.text('<think>Okay, the user wants a title'))
    response.end(format.end('length'))
  })
  await send(user, question)
  await expect.poll(() => titleRequests().length).toBe(1)
  await expect.poll(() => backend.countRunning()).toBe(0)
  expect(await readTitles(user)).toEqual([firstWords])
})

it('a title that the user sets meanwhile stays', async () => {
  const user = await backend.newUser()
  backend.model.behave(says('At 23:15.'), async (response) => {
    await user.call('sessions.update', { params: { sessionId: 's1' }, body: { title: 'Mine' } })
    beginStream(response)
    response.end()
  })
  await send(user, question)
  await expect.poll(() => readTitles(user)).toEqual(['Mine'])
})

it('another reply to the first message keeps the title, an edited message gets its own', async () => {
  const user = await backend.newUser()
  backend.model.behave(says('At 23:15.'), says('Ferry times'), says('At 23:20.'))
  await send(user, question, { messageId: 'm1' })
  await expect.poll(() => readTitles(user)).toEqual(['Ferry times'])
  await send(user, question, { messageId: 'm2', replaces: 'm1' })
  expect(await readTitles(user)).toEqual(['Ferry times'])
  backend.model.behave(says('By train.'), says('Train to Bergen'))
  await send(user, 'How does one get to Bergen in the winter, when the roads are closed?', { replaces: 'm2' })
  await expect.poll(() => readTitles(user)).toEqual(['Train to Bergen'])
})

it.each([
  [
    'a failed reply',
    {},
    [(response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(401).end()],
  ],
  ['a temporary chat', { keep: false }, [says('At 23:15.')]],
])('%s has no title', async (_, changes, behaviours) => {
  const user = await backend.newUser()
  backend.model.behave(...(behaviours as Parameters<typeof backend.model.behave>))
  await send(user, question, changes)
  expect(titleRequests()).toEqual([])
})

it.each([
  ['Last ferry', 'Last ferry'],
  ['"Last ferry."', 'Last ferry'],
  ['**Last ferry**', 'Last ferry'],
  ['*Last ferry*', 'Last ferry'],
  ['# Last ferry\n', 'Last ferry'],
  ['Title: Last ferry', 'Last ferry'],
  ['**Title:** Last ferry', 'Last ferry'],
  ['Titel: „Letzte Fähre“', 'Letzte Fähre'],
  ['<title>Last ferry</title>', 'Last ferry'],
  ['{"title": "Last ferry"}', 'Last ferry'],
  ['```json\n{"title": "Last ferry"}\n```', 'Last ferry'],
  ['```\nLast ferry\n```', 'Last ferry'],
  ['Here is a title:\n\nLast ferry', 'Last ferry'],
  ['1. Last ferry\n2. Ferry times', 'Last ferry'],
  ['⛴️ Last ferry 🌙', 'Last ferry'],
  ['「最終フェリー」', '最終フェリー'],
  ['标题：最后一班渡轮。', '最后一班渡轮'],
  ['العنوان: آخر عبّارة', 'آخر عبّارة'],
  ['Ferries, etc...', 'Ferries, etc...'],
  ['"Last ferry" to Nesodden', '"Last ferry" to Nesodden'],
  ['“Last” and “first”', '“Last” and “first”'],
  ['The name of the "Last ferry"', 'The name of the "Last ferry"'],
  ["'Don't be late'", "Don't be late"],
  ['"“Last ferry”"', 'Last ferry'],
  ['“Last ferry"', 'Last ferry'],
  ['*Last* and *first*', '*Last* and *first*'],
  ['"Title: Last ferry".', 'Last ferry'],
  ['「标题：最后一班渡轮」。', '最后一班渡轮'],
  ["Here's a title: Last ferry", 'Last ferry'],
  ['Sure! Here is a title for the conversation: "Last ferry"', 'Last ferry'],
  ['Suggested title: Last ferry', 'Last ferry'],
  ['Voici un titre : Dernier ferry', 'Dernier ferry'],
  ['Here be dragons: old maps', 'Here be dragons: old maps'],
  ['C# 10', 'C# 10'],
  ['Juno® 2026', 'Juno® 2026'],
  ['', undefined],
  ['"".', undefined],
  ['```', undefined],
  ['{"title": "Last', undefined],
  [
    'I am sorry, but I cannot write a title, because the conversation has no topic that I could find in it so far.',
    undefined,
  ],
])('of the answer %j the title is %j', (answer, title) => {
  expect(readTitle(answer)).toBe(title)
})

it('reads a title in a time that grows with the answer', () => {
  for (const text of ['```', '"', '> ', '* ', 'title', '👩‍', '<', ':'])
    expect(String(readTitle(text.repeat(20_000))).length).toBeLessThan(200)
})

it('the cheapest model is one whose price is known', () => {
  const cheapest = (prices: readonly ({ input: number; output: number } | undefined)[]) =>
    findCheapest(prices.map((price, index) => ({ id: `m${index}`, ...(price && { price }) })))?.id
  expect(cheapest([undefined, { input: 2, output: 2 }, { input: 1, output: 5 }])).toBe('m2')
  expect(
    cheapest([
      { input: 1, output: 90 },
      { input: 2, output: 2 },
    ]),
  ).toBe('m1')
  expect(cheapest([undefined, { input: 0, output: 0 }])).toBe('m1')
  expect(cheapest([undefined])).toBeUndefined()
})
