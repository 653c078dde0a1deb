import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import { ApiError } from '../../lib/api/api-errors.ts'
import { AccessList, describeUserAgent } from './access-list.tsx'

const receiver = {
  id: 'r1',
  host: 'push.example.org',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0',
  created_at: '2026-12-01T10:00:00.000Z',
}
const server = {
  id: 't1',
  user_id: 'u',
  name: 'Spelling',
  description: '',
  is_active: true,
  created_at: '2026-12-02T10:00:00.000Z',
  config: { serverUrl: 'https://mcp.example.org/x', apiKey: '', customFields: {} },
}
const link = {
  id: 'l1',
  session_id: 's',
  secret: 'x'.repeat(43),
  audience: 'link' as const,
  title: 'Takeover',
  message_count: 2,
  created_at: '2026-12-03T10:00:00.000Z',
  ends_at: '2027-12-03T10:00:00.000Z',
}
const schedule = {
  id: 'm1',
  prompt: 'Read my mail\nand answer',
  rule: { kind: 'daily' as const, time: '08:00' },
  time_zone: 'UTC',
  writes: 'ask' as const,
  notify: [],
  version: 1,
  created_at: '2026-11-30T10:00:00.000Z',
  session_id: 'c',
  next_times: [],
  paused: true,
}

const success = () => ({ success: true as const })
const open = (handlers: Parameters<typeof fakeApi>[0] = {}) => {
  const api = fakeApi({
    'push.key': () => ({ publicKey: 'BAE', receivers: [receiver] }),
    'customTools.list': () => ({ tools: [server] }),
    'shares.list': () => ({ shares: [link] }),
    'schedules.list': () => ({ schedules: [schedule] }),
    'waiting.list': () => ({ waiting: [], total: 0, is_scheduled: false }),
    'push.unsubscribe': success,
    'customTools.remove': success,
    'shares.revoke': success,
    'schedules.delete': success,
    ...handlers,
  })
  render(<AccessList />, { wrapper: PageProviders })
  return api
}

it('lists what was added, newest first, with the time and the place; each is ended by its own request', async () => {
  const api = open()
  const rows = within(await screen.findByRole('list', { name: 'Added to your account' })).getAllByRole(
    'listitem',
  )
  expect(rows.map(({ textContent }) => textContent?.replace(/added .*?[AP]M/, 'added'))).toEqual([
    'TakeoverShared link · addedRevoke',
    'SpellingCustom tool · mcp.example.org · addedRemove',
    'Firefox, WindowsNotifications · push.example.org · addedRemove',
    'Read my mailSchedule, paused · addedDelete',
  ])
  for (const [button, confirm] of [
    ['Remove: Firefox, Windows', 'Remove'],
    ['Remove: Spelling', 'Remove'],
    ['Revoke: Takeover', 'Revoke'],
    ['Delete: Read my mail', 'Delete'],
  ] as const) {
    fireEvent.click(await screen.findByRole('button', { name: button }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: confirm }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(api.requestsTo('push.unsubscribe')).toEqual([{ body: { id: 'r1' } }])
  expect(api.requestsTo('customTools.remove')).toEqual([{ params: { toolId: 't1' } }])
  expect(api.requestsTo('shares.revoke')).toEqual([{ params: { shareId: 'l1' } }])
  expect(api.requestsTo('schedules.delete')).toMatchObject([{ params: { scheduleId: 'm1' } }])
})

it('says that nothing was added, or that it could not be loaded, with a button that tries again', async () => {
  let isDown = true
  open({
    'push.key': () => ({ publicKey: 'BAE', receivers: [] }),
    'customTools.list': () => ({ tools: [] }),
    'shares.list': () => {
      if (isDown) throw new ApiError({ status: 403, code: 'down', userMessage: 'The links are not there.' })
      return { shares: [] }
    },
    'schedules.list': () => ({ schedules: [] }),
  })
  expect((await screen.findByRole('alert')).textContent).toContain('The links are not there.')
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nothing was added.')).toBeDefined()
})

it.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/153.0 Safari/537.36 Edg/153.0',
    'Edge, Windows',
  ],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/153.0 Mobile Safari/537.36', 'Chrome, Android'],
  ['curl/8', ''],
])('%s is %s', (userAgent, name) => {
  expect(describeUserAgent(userAgent)).toBe(name)
})
