import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { capabilityCases } from '../../test/support/capability-cases.ts'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import { builtInProviders } from '../providers/built-in.ts'
import type { ConnectedApi } from './api.ts'
import { listCapabilities } from './catalogue.ts'

let harness: ProviderHarness
beforeAll(async () => {
  harness = await startProviderHarness()
  for (const { id } of builtInProviders) await harness.connect(id)
})
afterAll(() => harness.close())
beforeEach(() => {
  harness.sent.length = 0
})

const writes = builtInProviders.flatMap(({ id: provider }) =>
  listCapabilities(provider)
    .filter((one) => one.writes)
    .map((one): [string, string, typeof one] => [provider, one.id, one]),
)

it.each(writes)(
  '%s %s sends a write only once when the provider is busy',
  async (provider, id, capability) => {
    const api = await harness.connectApi(provider)
    const input = capability.parameters.parse(capabilityCases[provider]?.[id]?.input ?? {})
    const signal = new AbortController().signal
    /** @param onCall receives the number of each request */
    const run = (onCall: (count: number) => void) => {
      let count = 0
      const countingApi: ConnectedApi = {
        call(...request) {
          count += 1
          onCall(count)
          return api.call(...request)
        },
      }
      return capability.run(countingApi, input, signal)
    }
    let requests = 0
    await run((count) => (requests = count))
    harness.sent.length = 0
    // the write is the last request; look-ups come before it
    const busyRun = run((count) => {
      if (count === requests) harness.canned.push({ status: 503, headers: { 'retry-after': '0' } })
    })
    await expect(busyRun).rejects.toMatchObject({ status: 503 })
    expect(harness.sent).toHaveLength(requests)
    expect(harness.canned).toEqual([])
  },
)
