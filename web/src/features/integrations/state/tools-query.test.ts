import { focusManager, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { anEntry, anIntegration, someTools } from '../../../../../test/support/connections.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
import { usageText } from '../catalogue/tool-usage.tsx'
import { integrationsQuery, toolsChanged } from './integrations-query.ts'
import { knownConnections, offersTools, readConnections, toolsQuery } from './tools-query.ts'

const slack = anIntegration()
const notion = anIntegration({ mcp_id: 'notion', mcp_name: 'Notion' })
const own = someTools({ id: 'custom_1', name: 'My server', provider: 'Custom' })

it('CAP-10 CAP-12 tells what is connected, own servers too, and what it can do', () => {
  const known = knownConnections([slack], [someTools(), own])
  expect(known.connectedTools).toHaveLength(2)
  expect(known).toEqual({
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
  ['not known', undefined],
  ['not whole', [someTools()]],
])('CAP-10 DEC-099 narrows nothing by a list that is %s', (_, tools) => {
  expect(knownConnections([slack, notion], tools)).toMatchObject({
    connectedTools: [],
    integrationContext: { connectedCount: 2, integrationList: ['Slack', 'Notion'] },
  })
})

it('CAP-10 tells a message what is known when it is sent', async () => {
  const client = createQueryClient()
  expect(readConnections(client, 'u')).toBeUndefined()
  const off = { ...notion, status: 'disconnected' as const }
  client.setQueryData(integrationsQuery('u').queryKey, [slack, off])
  expect(readConnections(client, 'u')).toMatchObject({
    connectedTools: [],
    integrationContext: { connectedCount: 1, integrationList: ['Slack'] },
  })
  client.setQueryData(toolsQuery('u').queryKey, [someTools()])
  const whole = { connectedTools: [{ mcp_id: 'slack', mcp_name: 'Slack' }] }
  expect(readConnections(client, 'u')).toMatchObject(whole)
  expect(readConnections(client, 'somebody else')).toBeUndefined()

  // a list that is just being asked for anew may lack what was connected last
  const list = Promise.withResolvers<{ integrations: ReturnType<typeof someTools>[] }>()
  const api = fakeApi({ 'tools.list': () => list.promise })
  const stop = new QueryObserver(client, toolsQuery('u')).subscribe(() => undefined)
  expect(readConnections(client, 'u')).toMatchObject({ connectedTools: [] })
  list.resolve({ integrations: [someTools()] })
  await expect.poll(() => readConnections(client, 'u')).toMatchObject(whole)
  expect(api.requestsTo('tools.list')).toHaveLength(1)
  stop()
})

it('servers are not asked for their tools again whenever somebody comes back to the window', async () => {
  const client = createQueryClient()
  client.mount()
  const api = fakeApi({ 'tools.list': () => ({ integrations: [someTools()] }) })
  const stop = new QueryObserver(client, toolsQuery('u')).subscribe(() => undefined)
  await expect.poll(() => client.getQueryState(toolsQuery('u').queryKey)?.status).toBe('success')
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await client.fetchQuery({ queryKey: ['something else'], queryFn: () => 'read meanwhile' })
  toolsChanged(client)
  await expect.poll(() => client.isFetching()).toBe(0)
  // once at first, once after a change of our own
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
  [
    { capabilities: [], problem: 'Its server does not answer right now.' },
    'Its server does not answer right now.',
  ],
])('CAP-14 %j reads "%s"', (over, text) => {
  expect(usageText(someTools(over), now)).toBe(text)
})

it('knows before one connects whether an entry offers tools; a server is asked only then', () => {
  expect(offersTools(anEntry({ tools: ['Read e-mails'] }))).toBe(true)
  expect(offersTools(anEntry({ tools: [] }))).toBe(false)
  expect(offersTools(anEntry())).toBe(true)
})
