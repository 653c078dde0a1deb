import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api-errors.ts'
import { getReturnedError } from '../state/connection-error.ts'
import { catalogueQuery, syncStatusQuery } from './catalogue-queries.ts'
import { type Answers, fakeApi, removeSession } from '../../../../../test/support/fake-api.ts'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'
import { disconnectIntegration } from '../connect/use-connections.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { statusDebounceMs } from './use-catalogue.ts'
import { integrationsQuery } from '../state/integrations-query.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const minute = 60_000
const day = 24 * 60 * minute
/** the built-in list is a module of its own: a busy machine takes seconds to load it */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
let api: ReturnType<typeof fakeApi>
let client: QueryClient

function answer(over: Answers) {
  api = fakeApi(over)
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
  answer({
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

describe('a user’s integrations', () => {
  it('LIM-14 are not read again when reconnecting, or when the page opens again', async () => {
    const first = readIntegrations()
    await pass(0)
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
    await pass(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    first.unmount()
    readIntegrations()
    await pass(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
  })

  it('LIM-13 DEC-064 stay fresh for 24 hours', async () => {
    const first = readIntegrations()
    await pass(0)
    first.unmount()
    await pass(day - minute)
    readIntegrations()
    await pass(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    expect(integrationsQuery('u1').staleTime).toBe(day)
  })

  it('DEC-149 are read again every minute that somebody looks, and when they come back', async () => {
    const { result } = readIntegrations()
    await pass(0)
    answer({ 'integrations.list': () => ({ integrations: [anIntegration({ token_status: 'invalid' })] }) })
    await pass(minute)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    await pass(1)
    expect(result.current.data?.[0]?.token_status).toBe('invalid')
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await pass(10 * minute)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
    hidden.mockReturnValue('visible')
    dispatchEvent(new Event('visibilitychange'))
    await pass(0)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
  })

  it('DEC-149 are not read again where none is connected', async () => {
    answer({
      'integrations.list': () => ({
        integrations: [anIntegration({ status: 'disconnected', token_status: 'inactive' })],
      }),
    })
    readIntegrations()
    await pass(10 * minute)
    expect(api.requestsTo('integrations.list')).toHaveLength(1)
  })

  it('LIM-15 are asked for once more after a failure, and no more', async () => {
    answer({ 'integrations.list': () => Promise.reject(new NetworkError(false)) })
    const { result } = readIntegrations()
    await pass(minute)
    expect(api.requestsTo('integrations.list')).toHaveLength(2)
    expect(result.current.isError).toBe(true)
  })

  it('INT-65 DEC-064 belong to one user, and nobody signed in has none', async () => {
    expect(integrationsQuery('u1').queryKey).not.toEqual(integrationsQuery('u2').queryKey)
    removeSession()
    const { result } = readIntegrations()
    await pass(minute)
    expect(result.current.data).toBeUndefined()
    expect(getReturnedError(result.current.error, '?')).toBe('User not authenticated')
  })
})

describe('the catalogue', () => {
  it('LIM-11 is read again once 24 hours have passed', async () => {
    const first = readCatalogue('')
    await pass(0)
    first.unmount()
    await pass(day + minute)
    readCatalogue('')
    await pass(0)
    expect(api.requestsTo('registry.page')).toHaveLength(2)
  })

  it('REG-02 LIM-12 is kept for 24 hours, also while another page is open, and not for longer', async () => {
    const look = async () => {
      const { unmount } = readCatalogue('')
      await pass(0)
      unmount()
      return api.requestsTo('registry.page').length
    }
    expect(await look()).toBe(1)
    await pass(day - minute)
    expect(await look()).toBe(1)
    await pass(2 * minute)
    expect(await look()).toBe(2)
  })

  it('REG-26 REG-39 asks a service that was down again every 30 s, until it answers', async () => {
    answer({ 'registry.page': () => Promise.reject(new NetworkError(false)) })
    const { result } = readCatalogue('')
    await act(() => vi.waitFor(() => expect(result.current.data?.pages[0]?.isFallback).toBe(true)))
    answer({ 'registry.page': () => ({ items: [anEntry()], total: 1, hasMore: false, page: 1 }) })
    await pass(30_000)
    await pass(1)
    expect(result.current.data?.pages[0]).toEqual({ items: [anEntry()], total: 1, hasMore: false, page: 1 })
    await pass(10 * minute)
    expect(api.requestsTo('registry.page')).toHaveLength(1)
  })

  it('REG-17 LIM-20 keeps what a search found for 10 minutes', async () => {
    const look = async () => {
      const { unmount } = readCatalogue('mail')
      await pass(0)
      unmount()
      return api.requestsTo('registry.search').length
    }
    expect(await look()).toBe(1)
    await pass(9 * minute)
    expect(await look()).toBe(1)
    await pass(2 * minute)
    expect(await look()).toBe(2)
  })

  it('REG-19 REG-39 LIM-20 searches once more after 5 s, then in what it has', async () => {
    answer({ 'registry.search': () => Promise.reject(new NetworkError(true)) })
    const { result } = readCatalogue('mail')
    await pass(4_999)
    expect(api.requestsTo('registry.search')).toHaveLength(1)
    await pass(1)
    expect(api.requestsTo('registry.search')).toHaveLength(2)
    await act(() => vi.waitFor(() => expect(result.current.data).toBeDefined()))
    expect(result.current.data?.pages[0]?.items.slice(0, 2).map(({ name }) => name)).toEqual([
      'Gmail',
      'Mailchimp',
    ])
    expect(api.requestsTo('registry.search')).toHaveLength(2)
  })

  it('REG-26 REG-27 LIM-17 asks how old it is every 30 s', async () => {
    const { result } = renderHook(() => useQuery(syncStatusQuery), { wrapper })
    await pass(0)
    expect(result.current.data).toMatchObject({ isHealthy: true, lastSync: null, totalServers: 1 })
    await pass(29_999)
    expect(api.requestsTo('registry.status')).toHaveLength(1)
    await pass(1)
    expect(api.requestsTo('registry.status')).toHaveLength(2)
  })
})

it('REG-20 LIM-20 the status is worked out once changes have been quiet for 100 ms', () => {
  const { result, rerender } = renderHook(({ value }) => useDebounced(value, statusDebounceMs), {
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

it('INT-78 disconnecting says whether it worked, and throws nothing', async () => {
  answer({ 'integrations.disconnect': () => ({ success: true, revoked: true }) })
  expect(await disconnectIntegration('slack')).toBe(true)
  answer({ 'integrations.disconnect': () => Promise.reject(new NetworkError(true)) })
  expect(await disconnectIntegration('slack')).toBe(false)
})
