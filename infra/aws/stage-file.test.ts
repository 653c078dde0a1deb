import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { compareSettings, formatSettings } from './deployed-settings.ts'
import { listGivenContext, mergeContext, readCdkContext } from './stage-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'stages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.json`), text)
const configure = (given: Record<string, unknown>) => {
  const context = mergeContext(given, folder)
  return readConfig({ tryGetContext: (key: string) => context[key], getAllContext: () => ({ ...context }) })
}

describe('the file of a stage', () => {
  it('sets what -c does not, in the forms of -c and of JSON', () => {
    write(
      'live',
      '\u{feff}{"users": 500, "signUp": "example.org", "waf": true, "sharing": "off", "alarmEmail": null}',
    )
    expect(configure({ stage: 'live', signUp: 'open' })).toMatchObject({
      stage: 'live',
      users: 500,
      signUp: { mode: 'open' },
      waf: true,
      sharing: false,
      settings: { stage: 'live', users: '500', signUp: 'open', waf: 'on', sharing: 'off' },
    })
  })

  it('gives way to an empty value of -c', () => {
    write('back', '{"assistantName": "Ada", "siteTokensPerDay": 7}')
    expect(configure({ stage: 'back', siteTokensPerDay: '' })).toMatchObject({
      assistantName: 'Ada',
      siteTokensPerDay: 50_000_000,
    })
  })

  it('is not needed, and none of another stage is read', () => {
    write('other', '{"assistantName": "Ada"}')
    expect(configure({})).toMatchObject({ stage: 'dev', assistantName: 'Juno' })
    expect(() => configure({ stage: '../other' })).toThrow('Context stage must be')
  })

  it.each([
    ['{"users": 5', 'wrong.json is not JSON'],
    ['["users"]', 'wrong.json must be a JSON object'],
    ['{"stage": "live"}', 'wrong.json is of another stage: it sets stage to "live"'],
    ['{"user": 5}', 'Context user is not known'],
    ['{"users": 0}', 'Context users must be a whole number from 1'],
  ])('with %s stops the command', (text, message) => {
    write('wrong', text)
    expect(() => configure({ stage: 'wrong' })).toThrow(message)
  })

  it('is read by an app of the CDK, whose context mixes -c with cdk.json', () => {
    const all = { ...readCdkContext(), stage: 'live', models: [{ id: 'one' }] }
    expect(listGivenContext(all)).toEqual({ stage: 'live', models: [{ id: 'one' }] })
  })
})

describe('defaults by the number of people', () => {
  it.each([
    [
      undefined,
      { siteTokensPerDay: 50_000_000, requestsPerSecond: 200, vault: 'secrets', chatConcurrency: undefined },
    ],
    [
      30,
      { siteTokensPerDay: 50_000_000, requestsPerSecond: 200, vault: 'secrets', chatConcurrency: undefined },
    ],
    [
      51,
      { siteTokensPerDay: 50_000_000, requestsPerSecond: 200, vault: 'table', chatConcurrency: undefined },
    ],
    [500, { siteTokensPerDay: 270_000_000, requestsPerSecond: 200, vault: 'table', chatConcurrency: 125 }],
    [
      50_000,
      {
        siteTokensPerDay: 27_000_000_000,
        requestsPerSecond: 10_000,
        vault: 'table',
        chatConcurrency: 12_500,
      },
    ],
  ])('%s', (users, expected) => {
    expect(configure(users === undefined ? {} : { users })).toMatchObject(expected)
  })

  it('give way to settings', () => {
    const settings = {
      siteTokensPerDay: 1,
      requestsPerSecond: 5,
      vault: 'secrets',
      chatConcurrency: 2,
    } as const
    expect(configure({ users: 500, ...settings })).toMatchObject(settings)
  })
})

describe('settings as deployed', () => {
  it('are compared with those of a command', () => {
    const output = formatSettings({ stage: 'live', users: '500', signUp: 'open' })
    expect(compareSettings(output, { stage: 'live', signUp: 'example.org', waf: 'on' })).toEqual([
      { key: 'signUp', deployed: 'open', now: 'example.org' },
      { key: 'users', deployed: '500', now: undefined },
      { key: 'waf', deployed: undefined, now: 'on' },
    ])
    expect(compareSettings(output, { signUp: 'open', users: '500', stage: 'live' })).toEqual([])
  })

  it('fit into an output, and a change of a long one is seen', () => {
    const models = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ id: `model-${index}` })))
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`key${index}`, 'x'.repeat(150)]),
    )
    for (const settings of [{ models }, { models, ...many }]) {
      const output = formatSettings(settings)
      expect(output.length).toBeLessThan(4_096)
      expect(compareSettings(output, settings)).toEqual([])
      expect(compareSettings(output, { ...settings, models: `${models} ` })).toMatchObject([
        { key: 'models' },
      ])
    }
    // the others are short enough again
    expect(
      compareSettings(formatSettings({ models, ...many }), { models })?.map(({ key }) => key),
    ).not.toContain('models')
  })

  it.each(['', '[]', '{"a": 1}', 'no JSON'])('that cannot be read are no difference: %s', (output) => {
    expect(compareSettings(output, {})).toBeUndefined()
  })
})
