import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { findErrorMessage } from './connection-error.ts'
import { catalogueQuery, syncStatusQuery } from './catalogue-queries.ts'
import { type RouteHandlers, fakeApi, removeSession } from '../../../../../test/support/fake-api.ts'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'
import { useConnectionActivity } from '../connect/connection-activity.ts'
import { useDisconnect } from '../connect/use-disconnect.ts'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { integrationsQuery } from './integrations-query.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Advances the time. */
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
let api: ReturnType<typeof fakeApi>
let client: QueryClient

function mockApi(handlers: RouteHandlers) {
  api = fakeApi(handlers)
}

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)
const readIntegrations = () => renderHook(() => useQuery(integrationsQuery('u1')), { wrapper })
const readCatalogue = (term: string) =>
  renderHook(() => useInfiniteQuery(catalogueQuery({ term, authType: undefined, provider: '' })), { wrapper })

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  mockApi({
    'integrations.list': () => ({ integrations: [anIntegration()] }),
    'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }),
    'registry.search': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }),
    'registry.status': () => ({
      isHealthy: true,
      lastSync: null,
      totalServers: 1,
      running: false,
      excluded: {},
    }),
  })
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

describe('the integrations of a user', () => {
  it('LIM-14 are not loaded again after being offline, or when the page opens again', async () => {
    const firstVisit = readIntegrations()
    await advance(0)
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
    await advance(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    firstVisit.unmount()
    readIntegrations()
    await advance(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
  })

  it('LIM-13 DEC-064 stay fresh for 24 hours', async () => {
    const firstVisit = readIntegrations()
    await advance(0)
    firstVisit.unmount()
    await advance(dayMs - minuteMs)
    readIntegrations()
    await advance(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    expect(integrationsQuery('u1').staleTime).toBe(dayMs)
  })

  it('DEC-149 are loaded again every minute while the page is visible, and when it becomes visible again', async () => {
    const { result } = readIntegrations()
    await advance(0)
    mockApi({ 'integrations.list': () => ({ integrations: [anIntegration({ token_status: 'invalid' })] }) })
    await advance(minuteMs)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    await advance(1)
    expect(result.current.data?.[0]?.token_status).toBe('invalid')
    const visibilitySpy = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await advance(10 * minuteMs)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    visibilitySpy.mockReturnValue('visible')
    dispatchEvent(new Event('visibilitychange'))
    await advance(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
  })

  it('DEC-149 are not polled if none is connected', async () => {
    mockApi({
      'integrations.list': () => ({
        integrations: [anIntegration({ status: 'disconnected', token_status: 'inactive' })],
      }),
    })
    readIntegrations()
    await advance(10 * minuteMs)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
  })

  it('LIM-15 are requested once more after a failure', async () => {
    mockApi({ 'integrations.list': () => Promise.reject(new NetworkError()) })
    const { result } = readIntegrations()
    await advance(minuteMs)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
    expect(result.current.isError).toBe(true)
  })

  it('INT-65 DEC-064 are cached per user, and are not loaded when nobody is signed in', async () => {
    expect(integrationsQuery('u1').queryKey).not.toEqual(integrationsQuery('u2').queryKey)
    removeSession()
    const { result } = readIntegrations()
    await advance(minuteMs)
    expect(result.current.data).toBeUndefined()
    expect(findErrorMessage(result.current.error, '?')).toBe('User not authenticated')
  })
})

describe('the catalogue', () => {
  it('LIM-11 is loaded again after 24 hours', async () => {
    const firstVisit = readCatalogue('')
    await advance(0)
    firstVisit.unmount()
    await advance(dayMs + minuteMs)
    readCatalogue('')
    await advance(0)
    expect(api.requestsTo('registry.page')).toHaveLength(2)
  })

  it('REG-02 LIM-12 is cached for 24 hours, also while another page is open', async () => {
    const countRequests = async () => {
      const { unmount } = readCatalogue('')
      await advance(0)
      unmount()
      return api.requestsTo('registry.page').length
    }
    expect(await countRequests()).toBe(1)
    await advance(dayMs - minuteMs)
    expect(await countRequests()).toBe(1)
    await advance(2 * minuteMs)
    expect(await countRequests()).toBe(2)
  })

  it('REG-26 REG-39 retries every 30 s while the service is down', async () => {
    mockApi({ 'registry.page': () => Promise.reject(new NetworkError()) })
    const { result } = readCatalogue('')
    await act(() => vi.waitFor(() => expect(result.current.data?.pages[0]?.isFallback).toBe(true)))
    mockApi({ 'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }) })
    await advance(30_000)
    await advance(1)
    expect(result.current.data?.pages[0]).toEqual({ items: [anEntry()], total: 1, hasMore: false, page: 1 })
    await advance(10 * minuteMs)
    expect(api.requestsTo('registry.page')).toHaveLength(1)
  })

  it('REG-17 LIM-20 caches search results for 10 minutes', async () => {
    const countRequests = async () => {
      const { unmount } = readCatalogue('mail')
      await advance(0)
      unmount()
      return api.requestsTo('registry.search').length
    }
    expect(await countRequests()).toBe(1)
    await advance(9 * minuteMs)
    expect(await countRequests()).toBe(1)
    await advance(2 * minuteMs)
    expect(await countRequests()).toBe(2)
  })

  it('REG-19 REG-39 LIM-20 retries a search after 5 s, then searches the built-in list', async () => {
    mockApi({ 'registry.search': () => Promise.reject(new NetworkError({ hasTimedOut: true })) })
    const { result } = readCatalogue('mail')
    await advance(4_999)
    expect(api.requestsTo('registry.search')).toHaveLength(1)
    await advance(1)
    expect(api.requestsTo('registry.search')).toHaveLength(2)
    await act(() => vi.waitFor(() => expect(result.current.data).toBeDefined()))
    expect(result.current.data?.pages[0]?.items.slice(0, 2).map(({ name }) => name)).toEqual([
      'Gmail',
      'Mailchimp',
    ])
    expect(api.requestsTo('registry.search')).toHaveLength(2)
  })

  it('REG-26 REG-27 LIM-17 requests the time of the last sync every 30 s', async () => {
    const { result } = renderHook(() => useQuery(syncStatusQuery), { wrapper })
    await advance(0)
    expect(result.current.data).toMatchObject({ isHealthy: true, lastSync: null, totalServers: 1 })
    await advance(29_999)
    expect(api.requestsTo('registry.status')).toHaveLength(1)
    await advance(1)
    expect(api.requestsTo('registry.status')).toHaveLength(2)
  })
})

it('REG-20 LIM-20 computes the status 100 ms after the last change', () => {
  const { result, rerender } = renderHook(({ value }) => useDebounced(value, 100), {
    initialProps: { value: 1 },
  })
  rerender({ value: 2 })
  act(() => void vi.advanceTimersByTime(60))
  rerender({ value: 3 })
  act(() => void vi.advanceTimersByTime(99))
  expect(result.current).toBe(1)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toBe(3)
})

it('INT-78 disconnecting returns whether it succeeded, and does not throw', async () => {
  const { result } = renderHook(useDisconnect, { wrapper })
  mockApi({ 'integrations.disconnect': () => ({ success: true, revoked: true }) })
  expect(await act(() => result.current('slack'))).toBe(true)
  mockApi({ 'integrations.disconnect': () => Promise.reject(new NetworkError({ hasTimedOut: true })) })
  expect(await act(() => result.current('slack'))).toBe(false)
})

it('a connection that is being disconnected is busy for a page that opens later, and is not disconnected twice', async () => {
  const { promise, resolve } = Promise.withResolvers<{ success: true; revoked: boolean }>()
  mockApi({ 'integrations.disconnect': () => promise })
  const first = renderHook(useDisconnect, { wrapper })
  act(() => void first.result.current('slack'))
  first.unmount()
  const activity = renderHook(useConnectionActivity, { wrapper })
  const second = renderHook(useDisconnect, { wrapper })
  expect([activity.result.current('slack'), activity.result.current('gmail')]).toEqual([
    'disconnecting',
    undefined,
  ])
  expect(await act(() => second.result.current('slack'))).toBe(false)
  await act(async () => resolve({ success: true, revoked: true }))
  expect(activity.result.current('slack')).toBeUndefined()
  expect(api.requestsTo('integrations.disconnect')).toHaveLength(1)
})
