import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aServerConnection } from '../../test/support/server-connection.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import { toolLists } from './tool-lists.ts'
import type { ServerSessions } from './sessions.ts'
import type { ToolList, StoredToolList, ToolListRepository } from './tool-list-repository.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A server that answers when the test says so, and its stored list. */
function openServer() {
  const requests: PromiseWithResolvers<ToolList>[] = []
  const use = () => {
    requests.push(Promise.withResolvers<ToolList>())
    return requests.at(-1)?.promise
  }
  const put = vi.fn<ToolListRepository['put']>(async () => undefined)
  const putFailure = vi.fn<ToolListRepository['putFailure']>(async () => undefined)
  const rows = { find: async (): Promise<StoredToolList> => ({}), put, putFailure }
  const lists = toolLists({ use } as unknown as ServerSessions, rows)
  const connection = aServerConnection('https://mcp.example.com')
  const list: ToolList = {
    version: `${connection.version} ${connection.url}`,
    listedAtMs: Date.now(),
    legacy: false,
    entries: [],
    leftOut: [],
  }
  return { requests, lists, connection, list, put, putFailure }
}

it('a request that was frozen with the function is repeated, and the server does not count as failed', async () => {
  const { requests, lists, connection, list, put, putFailure } = openServer()
  // the reply gives up after its timeout, which is shortened here; the request for the list continues
  const defaultLimits = { ...waitLimitsMs }
  Object.assign(waitLimitsMs, { toolList: 50 })
  await expect(lists.list(connection)).rejects.toMatchObject({ name: 'TimeoutError' })
  Object.assign(waitLimitsMs, defaultLimits)
  vi.setSystemTime(Date.now() + 60_000)
  // the next reply continues the frozen function
  const next = lists.list(connection)
  requests[0]?.reject(new Error('socket hang up'))
  await vi.waitUntil(() => requests.length === 2)
  requests[1]?.resolve(list)
  expect(await next).toEqual(list)
  expect(put).toHaveBeenCalledTimes(1)
  expect(putFailure).not.toHaveBeenCalled()
})

it('a server that fails while the function runs counts as failed, and is not asked again', async () => {
  const { requests, lists, connection, putFailure } = openServer()
  const first = lists.list(connection)
  await vi.waitUntil(() => requests.length === 1)
  requests[0]?.reject(new Error('socket hang up'))
  await expect(first).rejects.toThrow('socket hang up')
  expect(putFailure).toHaveBeenCalledTimes(1)
  await expect(lists.list(connection)).rejects.toThrow('socket hang up')
  expect(requests).toHaveLength(1)
})
