import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api-errors.ts'
import { type Answers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anIntegration } from '../../../../../test/support/connections.ts'
import { IntegrationUpkeep, wantsRefresh } from './connection-maintenance.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const renewed = { success: true, message: 'Renewed', provider: 'Slack' } as const
let rows: Integration[]
let api: ReturnType<typeof fakeApi>
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function open(over: Answers = {}) {
  api = fakeApi({
    'integrations.list': () => ({ integrations: rows }),
    'integrations.cleanup': () => ({ success: true, deleted: [] }),
    'oauth.handle': () => renewed,
    ...over,
  })
  const view = renderPage(<IntegrationUpkeep userId="u1" />)
  await pass(0)
  return view
}
const refreshed = () =>
  api.requestsTo('oauth.handle').map(({ body }) => body && 'mcpId' in body && body.mcpId)

beforeEach(() => {
  vi.useFakeTimers()
  rows = []
})
afterEach(() => {
  vi.useRealTimers()
})

describe('upkeep', () => {
  it('INT-64 LIM-16 cleans up at the start and every 5 minutes, until the page goes', async () => {
    const { unmount } = await open()
    expect(api.requestsTo('integrations.cleanup')).toEqual([{ body: {} }])
    await pass(5 * 60_000 - 1)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(1)
    await pass(1)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(2)
    unmount()
    await pass(60 * 60_000)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(2)
  })

  it('DEC-064 reads the list again when rows were deleted', async () => {
    const answer = Promise.withResolvers<RouteResponse<'integrations.cleanup'>>()
    await open({ 'integrations.cleanup': () => answer.promise })
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    answer.resolve({ success: true, deleted: ['a'] })
    await pass(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
  })

  it('INT-53 DEC-062 LIM-17 refreshes once each, one at a time, 30 s after they appear', async () => {
    rows = [
      anIntegration({ mcp_id: 'a', token_status: 'invalid' }),
      anIntegration({ mcp_id: 'b', token_status: 'expired', refreshable: true }),
      anIntegration({ mcp_id: 'c', token_status: 'expired', refreshable: false }),
      anIntegration({ mcp_id: 'd' }),
    ]
    const refreshes: PromiseWithResolvers<typeof renewed>[] = []
    await open({
      'oauth.handle': () => {
        refreshes.push(Promise.withResolvers())
        return refreshes.at(-1)?.promise ?? renewed
      },
    })
    await pass(29_999)
    expect(refreshed()).toEqual([])
    await pass(1)
    expect(refreshed()).toEqual(['a'])
    refreshes[0]?.resolve(renewed)
    await pass(0)
    expect(refreshed()).toEqual(['a', 'b'])
    refreshes[1]?.resolve(renewed)
    await pass(60 * 60_000)
    expect(refreshed()).toEqual(['a', 'b'])
  })

  it('INT-54 says nothing when refreshing fails', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    await open({ 'oauth.handle': () => Promise.reject(new NetworkError(false)) })
    await pass(30_000)
    expect(refreshed()).toEqual(['slack'])
    expect(showToast).not.toHaveBeenCalled()
  })

  it('DEC-062 forgets the timer when the page goes', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    const { unmount } = await open()
    unmount()
    await pass(60_000)
    expect(refreshed()).toEqual([])
  })
})

it.each([
  [anIntegration({ token_status: 'invalid', refreshable: false }), true],
  [anIntegration({ token_status: 'needs_refresh' }), true],
  [anIntegration({ token_status: 'needs_refresh', refreshable: false }), false],
  [anIntegration({ token_status: 'active' }), false],
  [anIntegration({ status: 'disconnected', token_status: 'inactive' }), false],
])('DEC-062 INT-53 %#: a connection wants to be refreshed: %s', (row, expected) => {
  expect(wantsRefresh(row, new Date('2026-11-20T12:00:00Z'))).toBe(expected)
})
