import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { closeUserResources } from '../../../lib/actions/user-resources.ts'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { anIntegration } from '../../../../../test/support/connections.ts'
import { ConnectionMaintenance, shouldAutoRefresh } from './connection-maintenance.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const refreshedResponse = { success: true, message: 'Refreshed', provider: 'Slack' } as const
let rows: Connection[]
let api: ReturnType<typeof fakeApi>
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'integrations.list': () => ({ integrations: rows }),
    'integrations.cleanup': () => ({ success: true, deleted: [] }),
    'oauth.handle': () => refreshedResponse,
    ...handlers,
  })
  const view = renderPage(<ConnectionMaintenance userId="u1" />)
  await advance(0)
  return view
}
const getRefreshedIds = () =>
  api.requestsTo('oauth.handle').map(({ body }) => body && 'mcpId' in body && body.mcpId)

beforeEach(() => {
  vi.useFakeTimers()
  rows = []
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the maintenance of connections', () => {
  it('INT-64 LIM-16 cleans up at the start and every 5 minutes, until it unmounts', async () => {
    const { unmount } = await open()
    expect(api.requestsTo('integrations.cleanup')).toEqual([{ body: {} }])
    await advance(5 * 60_000 - 1)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(1)
    await advance(1)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(2)
    unmount()
    await advance(60 * 60_000)
    expect(api.requestsTo('integrations.cleanup')).toHaveLength(2)
  })

  it('DEC-064 loads the list again when connections were deleted', async () => {
    const response = Promise.withResolvers<RouteResponse<'integrations.cleanup'>>()
    await open({ 'integrations.cleanup': () => response.promise })
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    response.resolve({ success: true, deleted: ['a'] })
    await advance(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
  })

  it('INT-53 DEC-062 LIM-17 refreshes each connection once, one at a time, 30 s after it appears', async () => {
    rows = [
      anIntegration({ mcp_id: 'a', token_status: 'invalid' }),
      anIntegration({ mcp_id: 'b', token_status: 'expired', refreshable: true }),
      anIntegration({ mcp_id: 'c', token_status: 'expired', refreshable: false }),
      anIntegration({ mcp_id: 'd' }),
    ]
    const refreshes: PromiseWithResolvers<typeof refreshedResponse>[] = []
    await open({
      'oauth.handle': () => {
        refreshes.push(Promise.withResolvers())
        return refreshes.at(-1)?.promise ?? refreshedResponse
      },
    })
    await advance(29_999)
    expect(getRefreshedIds()).toEqual([])
    await advance(1)
    expect(getRefreshedIds()).toEqual(['a'])
    refreshes[0]?.resolve(refreshedResponse)
    await advance(0)
    expect(getRefreshedIds()).toEqual(['a', 'b'])
    refreshes[1]?.resolve(refreshedResponse)
    await advance(60 * 60_000)
    expect(getRefreshedIds()).toEqual(['a', 'b'])
  })

  it('refreshes a connection once, also when the list changes while others are refreshed', async () => {
    rows = ['a', 'b'].map((mcp_id) => anIntegration({ mcp_id, token_status: 'invalid' }))
    const refreshes: PromiseWithResolvers<typeof refreshedResponse>[] = []
    const { client } = await open({
      'oauth.handle': () => {
        refreshes.push(Promise.withResolvers())
        return refreshes.at(-1)?.promise ?? refreshedResponse
      },
    })
    await advance(30_000)
    rows = ['b', 'c'].map((mcp_id) => anIntegration({ mcp_id, token_status: 'invalid' }))
    await act(() => client.invalidateQueries())
    await advance(60_000)
    expect(getRefreshedIds()).toEqual(['a'])
    for (const index of [0, 1, 2]) {
      refreshes[index]?.resolve(refreshedResponse)
      await advance(0)
    }
    expect(getRefreshedIds()).toEqual(['a', 'b', 'c'])
  })

  it('INT-54 shows no toast when refreshing fails', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    await open({ 'oauth.handle': () => Promise.reject(new NetworkError()) })
    await advance(30_000)
    expect(getRefreshedIds()).toEqual(['slack'])
    expect(showToast).not.toHaveBeenCalled()
  })

  it('refreshes nothing more after the user has signed out', async () => {
    rows = ['a', 'b'].map((mcp_id) => anIntegration({ mcp_id, token_status: 'invalid' }))
    const refreshed = Promise.withResolvers<typeof refreshedResponse>()
    const { client } = await open({ 'oauth.handle': () => refreshed.promise })
    await advance(30_000)
    closeUserResources(client)
    refreshed.resolve(refreshedResponse)
    await advance(60_000)
    expect(getRefreshedIds()).toEqual(['a'])
  })

  it('DEC-062 clears the timer when it unmounts', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    const { unmount } = await open()
    unmount()
    await advance(60_000)
    expect(getRefreshedIds()).toEqual([])
  })
})

it.each([
  [anIntegration({ token_status: 'invalid', refreshable: false }), true],
  [anIntegration({ token_status: 'needs_refresh' }), true],
  [anIntegration({ token_status: 'needs_refresh', refreshable: false }), false],
  [anIntegration({ token_status: 'active' }), false],
  [anIntegration({ status: 'disconnected', token_status: 'inactive' }), false],
])('DEC-062 INT-53 %#: the connection needs a refresh: %s', (row, expected) => {
  expect(shouldAutoRefresh(row, new Date('2026-11-20T12:00:00Z'))).toBe(expected)
})
