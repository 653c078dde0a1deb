/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { metricUnits, type MetricName } from '#shared/metrics.ts'
import { startCatalogueSources } from '../support/catalogue-sources.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { calls, says, startFakeModel, takesNoTools } from '../support/fake-model-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { metricLines } from '../support/metric-lines.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadDocument } from '../support/upload.ts'

let model: Awaited<ReturnType<typeof startFakeModel>>
let sources: Awaited<ReturnType<typeof startCatalogueSources>>
let stack: LocalStack
let ann: StackUser
beforeAll(async () => {
  model = await startFakeModel(says('Fine.'))
  sources = await startCatalogueSources()
  stack = await startStack({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      GITHUB_API_URL: sources.url,
      MCP_REGISTRY_URL: sources.url,
      SITE_TOKENS_PER_DAY: '1000000',
    },
  })
  ann = await stack.newUser()
})
afterAll(async () => {
  await stack.stop()
  await sources.close()
  model.close()
})

/** All metrics so far, with each line checked against the format. The log starts with the first call of a function. */
const readMetrics = async () =>
  metricLines(await readFile(join(stack.dataDir, 'log.jsonl'), 'utf8').catch(() => ''))

/** The lines of a metric after the first `lineCount`. */
async function readMetricsSince(lineCount: number, name: MetricName) {
  return (await readMetrics()).slice(lineCount).filter(({ values }) => name in values)
}

const question = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const ask = (content: string) => ann.call('chat.send', { body: question(content) })

it('a reply logs its tokens and the time to the first one, with the id that the response carries', async () => {
  const before = (await readMetrics()).length
  await ask('Hello')
  const [line] = await readMetricsSince(before, 'FailedReplies')
  expect(line?.values).toEqual({
    TimeToFirstToken: expect.any(Number) as number,
    InputTokens: expect.any(Number) as number,
    OutputTokens: expect.any(Number) as number,
    FailedReplies: 0,
  })
  expect(line?.values['TimeToFirstToken']).toBeGreaterThan(0)
  expect(line?.about['requestId']).toMatch(/^[0-9a-f-]{36}$/)
})

it('a settled reply logs the used share of the deployment’s daily budget', async () => {
  const before = (await readMetrics()).length
  model.behave((response) => response.writeHead(500).end('{}'))
  await ann.send('chat.send', { body: question('A long prompt. '.repeat(6_000)) })
  model.behave(says('Fine.'))
  // a reply is settled after its response
  await expect
    .poll(async () => (await readMetricsSince(before, 'SiteBudgetUsed')).map(({ values }) => values))
    .toContainEqual({ SiteBudgetUsed: 3 })
})

it('a failed reply is counted, and so is the response with its status', async () => {
  const before = (await readMetrics()).length
  model.behave((response) => response.writeHead(500).end('{}'))
  const { status, body } = await ann.send('chat.send', { body: question('Hello') })
  model.behave(says('Fine.'))
  expect(status).toBeGreaterThanOrEqual(500)
  expect(await readMetricsSince(before, 'FailedReplies')).toMatchObject([{ values: { FailedReplies: 1 } }])
  const { code, requestId } = body as { code: string; requestId: string }
  expect(await readMetricsSince(before, 'ServerErrors')).toMatchObject([
    { values: { ServerErrors: 1 }, about: { route: 'chat.send', code, requestId } },
  ])
})

it('each tool call is counted, with its outcome', async () => {
  for (const mcpId of ['google-drive', 'notion']) await connectProvider(stack, ann, mcpId)
  const before = (await readMetrics()).length
  model.behave(
    calls(
      { id: '1', name: 'google-drive_list_files', arguments: '{}' },
      { id: '2', name: 'notion_read_page', arguments: '{"page":"None of hers"}' },
    ),
    says('Some files, and no page.'),
  )
  const { toolCalls } = await ask('What is in my Google Drive, and on the Notion page?')
  model.behave(says('Fine.'))
  expect(toolCalls.map(({ result }) => result.success)).toEqual([true, false])
  const outcomes = (await readMetricsSince(before, 'FailedToolCalls')).map(
    ({ values }) => values['FailedToolCalls'],
  )
  expect(new Set(outcomes)).toEqual(new Set([0, 1]))
})

it('token refreshes are counted, with the provider and the reason of a failure', async () => {
  await connectProvider(stack, ann, 'zoom', 'demo+revoked')
  await connectProvider(stack, ann, 'google-drive')
  const before = (await readMetrics()).length
  await ann.send('oauth.handle', { body: { action: 'refresh', mcpId: 'zoom' } })
  await ann.send('oauth.handle', { body: { action: 'refresh', mcpId: 'google-drive' } })
  const lines = await readMetricsSince(before, 'FailedRefreshes')
  expect(lines.map(({ values, about }) => ({ ...values, ...about }))).toEqual([
    { FailedRefreshes: 1, code: 'grant_gone', provider: 'zoom' },
    { FailedRefreshes: 0, provider: 'google-drive' },
  ])
})

it('unreadable documents are counted', async () => {
  const before = (await readMetrics()).length
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  await uploadDocument(ann, { name: 'broken.docx', type, content: 'PK\u0003\u0004 broken' })
  await uploadDocument(ann, { name: 'a.txt', type: 'text/plain', content: 'A fine text.' })
  const lines = await readMetricsSince(before, 'FailedReadings')
  expect(lines.map(({ values, about }) => ({ ...values, ...about }))).toEqual([
    { FailedReadings: 1, code: 'unreadable' },
    { FailedReadings: 0, PlainReadings: 0 },
  ])
})

it('syncs are counted, and reads log the age of the registry', async () => {
  await vi.waitFor(async () => {
    if (!(await ann.call('registry.status')).lastSync) throw new Error('not synced yet')
  })
  const before = (await readMetrics()).length
  await ann.call('registry.refresh', { body: { kind: 'force' } })
  const outcomes = (await readMetricsSince(before, 'FailedSyncs')).map(({ values }) => values['FailedSyncs'])
  expect(outcomes).toEqual([0])
  const [age] = await readMetricsSince(0, 'RegistryAge')
  expect(age?.values['RegistryAge']).toBeGreaterThanOrEqual(0)
  expect(age?.values['RegistryAge']).toBeLessThan(60)
})

it('refusals by our own limits are counted separately from others', async () => {
  const before = (await readMetrics()).length
  expect((await ann.send('sessions.read', { params: { sessionId: 'none' } })).status).toBe(404)
  const pressRefresh = async () => (await ann.send('registry.refresh', { body: { kind: 'refresh' } })).status
  // one was pressed above
  for (let count = 0; count < 9; count += 1) expect(await pressRefresh()).toBe(200)
  expect(await pressRefresh()).toBe(429)
  expect(await readMetricsSince(before, 'ClientErrors')).toMatchObject([
    { about: { route: 'sessions.read', code: 'session_not_found' } },
  ])
  expect(await readMetricsSince(before, 'ThrottledCalls')).toMatchObject([
    { about: { route: 'registry.refresh', code: 'too_many_requests' } },
  ])
})

// after the tests that call tools, because the product remembers for a while what a server rejects
it('a request that was repeated without a rejected feature is counted by that feature', async () => {
  const before = (await readMetrics()).length
  model.behave(takesNoTools(says('Without tools.')))
  await ask('What is in my Google Drive?')
  model.behave(says('Fine.'))
  expect(await readMetricsSince(before, 'ReducedRequests')).toMatchObject([
    { values: { ReducedRequests: 1 }, about: { code: 'tools' } },
  ])
})

/** Written by the daily check of the models, which only the schedule on AWS starts. */
const onlyOnAws: readonly string[] = ['ModelsEndingSoon'] satisfies MetricName[]

it('every listed metric is written, no other one, and no line clutters the terminal', async () => {
  const lines = await readMetrics()
  const names = new Set(lines.flatMap(({ values }) => Object.keys(values)))
  // each minute, from the first on
  names.add('ScheduleLag')
  expect([...names].toSorted()).toEqual(
    Object.keys(metricUnits)
      .filter((name) => !onlyOnAws.includes(name))
      .toSorted(),
  )
  expect(new Set(lines.map(({ namespace }) => namespace))).toEqual(new Set(['juno-local']))
  expect(stack.output()).not.toContain('_aws')
  expect(JSON.stringify(lines)).not.toContain(ann.sub)
})
