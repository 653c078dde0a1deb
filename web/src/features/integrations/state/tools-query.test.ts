import { focusManager, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayToolList } from '#shared/sentences/tool-lists.ts'
import { anIntegration, someTools } from '../../../../../test/support/connections.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { inGerman } from '../../../../../test/support/german-page.ts'
import { createQueryClient } from '../../../lib/actions/query-client.ts'
import { formatUsage } from '../catalogue/tool-usage.tsx'
import { integrationsQuery, invalidateTools } from './integrations-query.ts'
import { countConnected, toKnownConnections, readConnections, toolsQuery } from './tools-query.ts'

const slack = anIntegration()
const notion = anIntegration({ mcp_id: 'notion', mcp_name: 'Notion' })
const customTools = someTools({ id: 'custom_1', name: 'My server', provider: 'Custom' })

it('CAP-10 CAP-12 lists the connected integrations, including custom tools, and their capabilities', () => {
  const knownConnections = toKnownConnections([slack], [someTools(), customTools])
  expect(knownConnections.connectedTools).toHaveLength(2)
  expect(knownConnections).toEqual({
    connectedTools: [
      { mcp_id: 'slack', mcp_name: 'Slack' },
      { mcp_id: 'custom_1', mcp_name: 'My server' },
    ],
    integrationContext: {
      connectedCount: 1,
      availableCapabilities: [
        'Slack: Read messages',
        'Slack: Post a message',
        'My server: Read messages',
        'My server: Post a message',
      ],
      integrationList: ['Slack'],
    },
  })
})

it.each([
  ['nothing is known', undefined, undefined, undefined],
  ['there is a connection', [slack], undefined, 1],
  ['there is none, and custom servers are not known', [], undefined, undefined],
  ['there is a custom server', [], [customTools], 1],
  ['there are both', [slack], [someTools(), customTools], 2],
  ['there is nothing', [], [], 0],
])('DEC-098 the count of the welcome line when %s', (_, connections, tools, count) => {
  expect(countConnected(connections, tools)).toBe(count)
})

it.each([
  ['not loaded', undefined],
  ['incomplete', [someTools()]],
])('CAP-10 DEC-099 does not limit the tools by a list that is %s', (_, tools) => {
  expect(toKnownConnections([slack, notion], tools)).toMatchObject({
    connectedTools: [],
    integrationContext: { connectedCount: 2, integrationList: ['Slack', 'Notion'] },
  })
})

it('CAP-10 reads the connections that are known when a message is sent', async () => {
  const client = createQueryClient()
  expect(readConnections(client, 'u')).toBeUndefined()
  const disconnectedNotion = { ...notion, status: 'disconnected' as const }
  client.setQueryData(integrationsQuery('u').queryKey, [slack, disconnectedNotion])
  expect(readConnections(client, 'u')).toMatchObject({
    connectedTools: [],
    integrationContext: { connectedCount: 1, integrationList: ['Slack'] },
  })
  client.setQueryData(toolsQuery('u').queryKey, [someTools()])
  const expected = { connectedTools: [{ mcp_id: 'slack', mcp_name: 'Slack' }] }
  expect(readConnections(client, 'u')).toMatchObject(expected)
  expect(readConnections(client, 'somebody else')).toBeUndefined()

  // a list that is being reloaded may lack the latest connection
  const list = Promise.withResolvers<{ integrations: ReturnType<typeof someTools>[] }>()
  const api = fakeApi({ 'tools.list': () => list.promise })
  const stop = new QueryObserver(client, toolsQuery('u')).subscribe(() => undefined)
  expect(readConnections(client, 'u')).toMatchObject({ connectedTools: [] })
  list.resolve({ integrations: [someTools()] })
  await expect.poll(() => readConnections(client, 'u')).toMatchObject(expected)
  expect(api.requestsTo('tools.list')).toHaveLength(1)
  stop()
})

it('does not load the tools again when the window gets the focus', async () => {
  const client = createQueryClient()
  client.mount()
  const api = fakeApi({ 'tools.list': () => ({ integrations: [someTools()] }) })
  const stop = new QueryObserver(client, toolsQuery('u')).subscribe(() => undefined)
  await expect.poll(() => client.getQueryState(toolsQuery('u').queryKey)?.status).toBe('success')
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await client.fetchQuery({ queryKey: ['something else'], queryFn: () => 'loaded meanwhile' })
  invalidateTools(client)
  await expect.poll(() => client.isFetching()).toBe(0)
  // once at first, once after the invalidation
  expect(api.requestsTo('tools.list')).toHaveLength(2)
  focusManager.setFocused(undefined)
  stop()
  client.unmount()
})

const now = new Date('2026-11-20T12:00:00Z')
it.each([
  [{}, '2 capabilities · Not used yet'],
  [{ usage_count: 1, lastUsed: '2026-11-20T11:59:50Z' }, '2 capabilities · Used once, just now'],
  [{ usage_count: 5, lastUsed: '2026-11-20T09:00:00Z' }, '2 capabilities · Used 5 times, 3 hours ago'],
  [{ usage_count: 2, lastUsed: '2026-11-19T09:00:00Z' }, '2 capabilities · Used 2 times, yesterday'],
  // less than two days ago, and yet not yesterday
  [{ usage_count: 2, lastUsed: '2026-11-18T13:00:00Z' }, '2 capabilities · Used 2 times, 2 days ago'],
  [{ usage_count: 1, lastUsed: 'unknown' }, '2 capabilities · Not used yet'],
  [
    { capabilities: [], problem: 'Its tools could not be listed. Please try again in a moment.' },
    'Its tools could not be listed. Please try again in a moment.',
  ],
])('CAP-14 formats %j as "%s"', (changes, text) => {
  expect(formatUsage(someTools(changes), now)).toBe(text)
})

it('says in the language of the page why a server has no tools, or not all', async () => {
  const { formatUsage: format } = await inGerman(() => import('../catalogue/tool-usage.tsx'))
  const say = ({ text, ...coded }: Sentence) =>
    format({ ...someTools({ capabilities: [], problem: text }), ...coded }, now)
  expect(say(sayToolList('tools_unreachable'))).toBe(
    'Die Tools konnten nicht aufgelistet werden. Bitte versuchen Sie es gleich noch einmal.',
  )
  expect(say(describeReconnectReason('Notes', { kind: 'moved', host: 'a.example' }))).toMatch(/^Notes ist/)
  const reasons = [
    sayToolList('tool_unusable.many', { tool: 'a' }),
    sayToolList('more_reasons', { count: 2 }),
  ]
  expect(say(sayToolList('not_all_tools', { reasons }))).toBe(
    'Nicht alle Tools: a ist nicht nutzbar (zu viele Parameter) und 2 weitere',
  )
})
