/** @module-tag long */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls, says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { startMcpServer, type TestMcpServer } from '../support/mcp-server.ts'
import type { StackUser } from '../support/stack-user.ts'

const deals = Array.from({ length: 300 }, (_, index) => ({
  id: `d${index}`,
  properties: {
    amount: `${index}.25`,
    closeDate: `2026-0${(index % 9) + 1}-05T08:00:00Z`,
    note: 'x'.repeat(200),
  },
  stage: ['won', 'lost', 'open'][index % 3],
}))

let model: Awaited<ReturnType<typeof startFakeModel>>
let server: TestMcpServer
let stack: LocalStack
let user: StackUser
beforeAll(async () => {
  ;[model, server] = await Promise.all([
    startFakeModel(says('')),
    startMcpServer({
      tools: [{ name: 'list_deals', annotations: { readOnlyHint: true, openWorldHint: false } }],
      call: () => ({ content: [{ type: 'text', text: JSON.stringify({ deals }) }] }),
    }),
  ])
  stack = await startStack({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'fake', OUTBOUND_ALLOW: server.host },
  })
  user = await stack.newUser()
  await user.call('customTools.add', {
    body: { name: 'CRM', description: '', config: { serverUrl: server.url, apiKey: '', customFields: {} } },
  })
})
afterAll(async () => {
  await stack.stop()
  await server.close()
  model.close()
})

const query = (sql: string) => calls({ id: 'c2', name: 'query_table', arguments: JSON.stringify({ sql }) })
async function send(sessionId: string, content: string) {
  await user.call('chat.send', {
    body: { sessionId, messageId: crypto.randomUUID(), messages: [{ role: 'user', content }] },
  })
  return (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map((message) => String(message.content))
}

it('a list that a tool returned is a table until its reply ends, however much of it the model has read', async () => {
  model.behave(says('Hello.'))
  await send(crypto.randomUUID(), 'Hello')
  const tools = model.requests.at(-1)?.tools ?? []
  const tool = tools.map((one) => one.function.name).find((name) => name.endsWith('list_deals')) ?? ''
  const table = `result_1_${tool}`
  const sql = `SELECT stage, count(*) AS n, sum(properties_amount) AS sum, max(properties_close_date) AS last FROM ${table} GROUP BY stage ORDER BY stage`
  const sessionId = crypto.randomUUID()
  model.behave(calls({ id: 'c1', name: tool, arguments: '{}' }), query(sql), says('Done.'))
  const [list = '', answer = ''] = await send(sessionId, 'How much is won?')
  // the tools are the same in every request
  expect(model.requests.at(-1)?.tools).toEqual(tools)
  expect(list).toContain('[Cut: characters 0 to')
  expect(list.split('\n').at(-1)).toBe(
    `[Table for query_table, until this reply ends: ${table}, 300 rows; columns: id text, properties_amount number, properties_close_date date, properties_note text, stage text]`,
  )
  const sumOf = (stage: string) =>
    deals
      .filter((deal) => deal.stage === stage)
      .reduce((sum, { properties }) => sum + Number(properties.amount), 0)
  expect(JSON.parse(answer)).toMatchObject({
    columns: ['stage', 'n', 'sum', 'last'],
    rows: ['lost', 'open', 'won'].map((stage) => [
      stage,
      100,
      sumOf(stage),
      expect.stringContaining('2026-0'),
    ]),
    sources: [{ table, integration: 'CRM', title: expect.any(String) as string }],
  })
  model.behave(query(sql), says('Done.'))
  const later = await send(sessionId, 'Again?')
  expect(later.at(-1)).toContain('There are no tables')
})
