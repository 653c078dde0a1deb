import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { capabilityCases } from '../../test/support/capability-cases.ts'
import { type ProviderWorld, startProviderWorld } from '../../test/support/provider-world.ts'
import { builtInProviders } from '../providers/built-in.ts'
import type { ConnectedApi } from './api.ts'
import { listCapabilities } from './catalogue.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await startProviderWorld()
  for (const { id } of builtInProviders) await world.connect(id)
})
afterAll(() => world.close())
beforeEach(() => {
  world.sent.length = 0
})

const writes = builtInProviders.flatMap(({ id: provider }) =>
  listCapabilities(provider)
    .filter((one) => one.writes)
    .map((one): [string, string, typeof one] => [provider, one.id, one]),
)

it.each(writes)(
  '%s %s sends a write only once when the provider is busy',
  async (provider, id, capability) => {
    const api = await world.connectApi(provider)
    const input = capability.parameters.parse(capabilityCases[provider]?.[id]?.input ?? {})
    const signal = new AbortController().signal
    /** @param onCall receives the number of each request */
    const run = (onCall: (count: number) => void) => {
      let count = 0
      const watched: ConnectedApi = {
        call(...request) {
          count += 1
          onCall(count)
          return api.call(...request)
        },
      }
      return capability.run(watched, input, signal)
    }
    let requests = 0
    await run((count) => (requests = count))
    world.sent.length = 0
    // the write is the last request; look-ups come before it
    const busy = run((count) => {
      if (count === requests) world.canned.push({ status: 503, headers: { 'retry-after': '0' } })
    })
    await expect(busy).rejects.toMatchObject({ status: 503 })
    expect(world.sent).toHaveLength(requests)
    expect(world.canned).toEqual([])
  },
)
