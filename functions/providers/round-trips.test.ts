import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { RoundTrip } from '../../test/support/provider-contracts/cases.ts'
import { cases } from '../../test/support/integration-cases.ts'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import type { ConnectedApi } from './api.ts'
import { builtInProviders } from './built-in.ts'
import type { Capability } from './capability.ts'
import { listCapabilities } from './capabilities.ts'

let harness: ProviderHarness
beforeAll(async () => {
  harness = await startProviderHarness()
  for (const { id } of builtInProviders) await harness.connect(id)
})
afterAll(() => harness.close())
beforeEach(() => {
  harness.sent.length = 0
})

const providers = Object.entries(cases)
const roundTrips = providers.flatMap(([provider, { roundTrips: byTool }]) =>
  Object.entries(byTool).map(([id, one]): [string, string, RoundTrip] => [provider, id, one]),
)
const reads = providers.flatMap(([provider, { reads: list = [] }]) =>
  list.map((one): [string, ...typeof one] => [provider, ...one]),
)

it('CAP-01 every built-in provider has tools, and each tool has a case', () => {
  const expected = builtInProviders.flatMap(({ id }) => listCapabilities(id).map((one) => `${id} ${one.id}`))
  expect(roundTrips.map(([provider, id]) => `${provider} ${id}`).toSorted()).toEqual(expected.toSorted())
  for (const { id } of builtInProviders) expect(listCapabilities(id).some(({ writes }) => !writes)).toBe(true)
})

it('CAP-03 every tool describes what it does, in words and with examples', () => {
  for (const { id } of builtInProviders)
    for (const { description, examples, parameters, name } of listCapabilities(id)) {
      expect(description).toMatch(/^[A-Z].{15,}\.$/)
      expect(name).not.toBe('')
      expect(examples.length).toBeGreaterThan(0)
      const { properties = {} } = z.toJSONSchema(parameters, { io: 'input' }) as {
        properties?: Record<string, { description?: string }>
      }
      for (const property of Object.values(properties)) expect(property.description).toBeTruthy()
    }
})

describe('CAP-01 against the provider doubles', () => {
  // in their order: reads find what earlier writes have created
  it.each(roundTrips)('%s %s', async (provider, id, { input, finds: text }) => {
    const result = await harness.run(provider, id, input)
    expect(JSON.stringify(result)).toContain(text)
  })

  it.each(reads)('%s %s with %j', async (provider, id, input, text) => {
    expect(JSON.stringify(await harness.run(provider, id, input))).toContain(text)
  })

  it('names the possible values for an unknown name, and explains how to invite the Slack app into a channel', async () => {
    await expect(harness.run('slack', 'send_message', { channel: 'kitchen', text: 'x' })).rejects.toThrow(
      'There is no channel with this name. There are "general", "random", "board".',
    )
    await expect(harness.run('airtable', 'list_records', { table: 'Pets' })).rejects.toThrow(
      'There are "Tasks".',
    )
    expect(harness.sent.filter(({ method }) => method === 'POST')).toEqual([])
    for (const [id, input] of [
      ['send_message', { channel: 'board', text: 'x' }],
      ['read_messages', { channel: 'board' }],
    ] as const)
      await expect(harness.run('slack', id, input)).rejects.toThrow('has to invite it first: /invite @')
  })
})

/** @returns copies of a body, each with another value of the same type in the place of one */
function replaceEachValue(body: unknown): unknown[] {
  // no date, number or currency can be read from these
  if (typeof body === 'string') return ['someday', '9'.repeat(400)]
  if (typeof body === 'number') return [8.7e15]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    replaceEachValue(value).map((other) =>
      Array.isArray(body) ? body.with(Number(key), other) : { ...body, [key]: other },
    ),
  )
}

const readingTools = builtInProviders.flatMap(({ id: provider }) =>
  listCapabilities(provider)
    .filter(({ writes }) => !writes)
    .map((one): [string, string, Capability] => [provider, one.id, one]),
)

it.each(readingTools)('%s %s answers although one value cannot be read', async (provider, id, tool) => {
  const api = await harness.connectApi(provider)
  const input = tool.parameters.parse(cases[provider]?.roundTrips[id]?.input ?? {})
  const bodies = new Map<string, unknown>()
  const run = (changed?: string, body?: unknown) => {
    const recordingApi: ConnectedApi = {
      async call(path, request, signal) {
        const key = JSON.stringify([path, request])
        if (key === changed) return body
        if (!bodies.has(key)) bodies.set(key, await api.call(path, request, signal))
        return bodies.get(key)
      },
    }
    return tool.run(recordingApi, input, new AbortController().signal)
  }
  await run()
  // Mailchimp's data centre becomes a part of the address, so it has to be one
  const answers = [...bodies].filter(([, body]) => !Object.hasOwn(body as object, 'dc'))
  for (const [key, body] of answers)
    for (const other of replaceEachValue(body)) {
      const failure = await run(key, other).then(
        () => '',
        (error: Error) => error.message,
      )
      // another id or name may be one that does not exist
      expect([failure, other]).not.toEqual(['The service responded in an unexpected format.', other])
    }
})

const writes = builtInProviders.flatMap(({ id: provider }) =>
  listCapabilities(provider)
    .filter((one) => one.writes)
    .map((one): [string, string, typeof one] => [provider, one.id, one]),
)

it.each(writes)(
  '%s %s sends a write only once when the provider is busy',
  async (provider, id, capability) => {
    harness.doubles.restoreData()
    const api = await harness.connectApi(provider)
    const input = capability.parameters.parse(cases[provider]?.roundTrips[id]?.input ?? {})
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
