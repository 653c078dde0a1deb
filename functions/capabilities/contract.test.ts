import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import { type CapabilityCase, capabilityCases } from '../../test/support/capability-cases.ts'
import * as z from 'zod'
import { builtInProviders } from '../providers/built-in.ts'
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

/** Further inputs of read-only tools, each with a text that the result contains. */
const readCases: [string, string, Record<string, unknown>, string][] = [
  [
    'confluence',
    'search_pages',
    { query: 'onboarding' },
    'https://example.atlassian.net/wiki/spaces/HR/pages/98765/Onboarding',
  ],
  ['confluence', 'search_pages', {}, 'Your first week & more'],
  ['microsoft-graph', 'list_files', {}, 'Budget 2027.xlsx'],
  ['microsoft-graph', 'list_emails', {}, 'Canteen menu'],
  ['dropbox', 'list_files', { query: 'packing' }, '/packing-list.txt'],
  ['dropbox', 'list_files', {}, 'Reports'],
  ['github', 'list_issues', {}, 'Broken link in the footer'],
  ['jira', 'search_issues', {}, 'Login fails on Safari'],
  ['google-calendar', 'list_events', {}, 'Dentist'],
  ['salesforce', 'find_records', {}, "Acme O'Neil Ltd"],
  ['stripe', 'list_payments', {}, '1200 JPY'],
]

const cases = Object.entries(capabilityCases).flatMap(([provider, casesById]) =>
  Object.entries(casesById).map(([id, testCase]): [string, string, CapabilityCase] => [
    provider,
    id,
    testCase,
  ]),
)

it('CAP-01 every built-in provider has tools, and each tool has a case', () => {
  const expected = builtInProviders.flatMap(({ id }) => listCapabilities(id).map((one) => `${id} ${one.id}`))
  expect(cases.map(([provider, id]) => `${provider} ${id}`).toSorted()).toEqual(expected.toSorted())
  for (const { id } of builtInProviders) expect(listCapabilities(id).some(({ writes }) => !writes)).toBe(true)
})

it('CAP-01 the requests of every provider are covered by a requests-*.test.ts', async () => {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter((name) => /^requests-.*\.test\.ts$/.test(name))
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const coveredIds = sources.flatMap((text) =>
    [...(text.split('\ntestTools({')[1] ?? '').matchAll(/^ {2}'?([\w-]+)'?: \[$/gm)].map(
      ([, id]) => id ?? '',
    ),
  )
  const sortIds = (ids: string[]) => ids.toSorted((a, b) => a.localeCompare(b))
  expect(sortIds(coveredIds)).toEqual(sortIds(builtInProviders.map(({ id }) => id)))
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
  it.each(cases)('%s %s', async (provider, id, { input, finds: text }) => {
    const result = await harness.run(provider, id, input)
    expect(JSON.stringify(result)).toContain(text)
  })

  it.each(readCases)('%s %s with %j', async (provider, id, input, text) => {
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
