import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { adminGroup } from '#shared/user-pool.ts'
import { readScheduleStop, resumedAtName } from '../../platform/schedule-stop.ts'
import { siteSettingsKey } from '../../platform/site-settings.ts'
import { type AccountFunctions, startAccountFunctions } from '../../../test/support/account-functions.ts'

let functions: AccountFunctions
let admin: Awaited<ReturnType<AccountFunctions['newUser']>>
beforeAll(async () => {
  process.env['OPENAI_MODEL'] = 'small'
  process.env['MODELS'] = JSON.stringify([{ id: 'small' }, { id: 'large' }])
  functions = await startAccountFunctions({ withAdmin: true })
  admin = await functions.newUser([adminGroup])
})
afterAll(() => functions.close())
beforeEach(() => putRow({}))

const putRow = (settings: object) =>
  functions.table.client.send(
    new PutCommand({ TableName: functions.table.name, Item: { ...siteSettingsKey, ...settings } }),
  )
const change = (body: object) => admin.call('admin.updateSite', { body: body as { replies: 'on' } })
async function readSettings() {
  const { body } = await admin.call('admin.site')
  return body['settings'] as Record<string, { value: unknown; configured: unknown }>
}

const asConfigured = {
  signUp: { value: null, configured: 'open' },
  siteTokensPerDay: { value: null, configured: null },
  siteCostPerDay: { value: null, configured: null },
  tokensPerDay: { value: null, configured: 5_000_000 },
  defaultModel: { value: null, configured: 'small' },
  defaultGroup: { value: null, configured: null },
  instructions: { value: null, configured: null },
  notice: { value: null, configured: null },
  replies: { value: null, configured: 'on' },
  schedules: { value: null, configured: 'on' },
  webPages: { value: null, configured: 'on' },
}

it('only administrators read and change the settings of the site', async () => {
  const ann = await functions.newUser()
  for (const refused of [await ann.call('admin.site'), await ann.call('admin.updateSite', { body: {} })])
    expect(refused).toMatchObject({ statusCode: 403, body: { code: 'not_admin' } })
})

it('each setting is as configured until it is set, counts over it, and is reset by null', async () => {
  expect(await readSettings()).toEqual(asConfigured)
  await admin.call('admin.createGroup', { body: { name: 'staff' } })
  const values = {
    signUp: 'example.org,example.com',
    siteTokensPerDay: 6_000_000,
    siteCostPerDay: 15,
    tokensPerDay: 400_000,
    defaultModel: 'large',
    defaultGroup: 'staff',
    instructions: 'Answer in the language of the question.',
    notice: { text: 'On Saturday', kind: 'warning', until: '2031-01-01T12:00:00.000Z' },
    replies: 'on',
  }
  expect(await change({ ...values, signUp: ' Example.org, example.COM ' })).toMatchObject({ statusCode: 200 })
  const set = await readSettings()
  for (const [name, value] of Object.entries(values)) expect(set[name]?.value).toEqual(value)
  const reset = Object.fromEntries(Object.keys(values).map((name) => [name, null]))
  expect((await change(reset)).body['settings']).toEqual(asConfigured)
})

it('absent settings stay as they are, and blank ones are none', async () => {
  await change({ instructions: 'Be kind.', tokensPerDay: 9 })
  await change({ tokensPerDay: 10 })
  expect(await readSettings()).toMatchObject({
    instructions: { value: 'Be kind.' },
    tokensPerDay: { value: 10 },
  })
  await change({ instructions: ' ', signUp: '', defaultModel: '', defaultGroup: '' })
  expect((await readSettings())['instructions']?.value).toBeNull()
})

it.each([
  { signUp: 'not a domain' },
  { signUp: 'open,example.org' },
  { siteTokensPerDay: 0 },
  { siteTokensPerDay: 1.5 },
  { siteCostPerDay: -1 },
  { siteCostPerDay: '15' },
  { tokensPerDay: 1e13 },
  { defaultModel: 'unknown' },
  { defaultModel: 'x'.repeat(201) },
  { defaultGroup: adminGroup },
  { instructions: 'x'.repeat(4_001) },
  { notice: { text: 'x'.repeat(201), kind: 'info' } },
  { notice: { text: ' ', kind: 'info' } },
  { notice: { text: 'x', kind: 'error' } },
  { notice: { text: 'x', kind: 'info', until: 'tomorrow' } },
  { replies: 'maybe' },
  { brandName: 'Mine' },
])('%j is refused as a whole', async (wrong) => {
  expect(await change({ tokensPerDay: 7, ...wrong })).toMatchObject({ statusCode: 400 })
  expect(await readSettings()).toEqual(asConfigured)
})

it('a default group that does not exist is refused', async () => {
  expect(await change({ defaultGroup: 'nobody' })).toMatchObject({
    statusCode: 404,
    body: { code: 'group_not_found' },
  })
})

it('one stored setting that cannot be read does not take the others', async () => {
  await putRow({ tokensPerDay: 'many', notice: 'x', replies: 'off', instructions: 'Be kind.' })
  expect(await readSettings()).toEqual({
    ...asConfigured,
    replies: { value: 'off', configured: 'on' },
    instructions: { value: 'Be kind.', configured: null },
  })
})

it('tells who stopped the replies, and when, until they are started again', async () => {
  expect((await change({ replies: 'off' })).body).toMatchObject({
    stopped: { by: admin.email, at: expect.stringMatching(/Z$/) },
  })
  expect((await change({ replies: 'on' })).body).not.toHaveProperty('stopped')
})

it('tells who stopped the schedules, apart from the replies; their start is noted for the dispatcher', async () => {
  const stopped = { by: admin.email, at: expect.stringMatching(/Z$/) }
  const { body } = await change({ schedules: 'off' })
  expect(body).toMatchObject({ schedules_stopped: stopped })
  expect(body).not.toHaveProperty('stopped')
  const before = Date.now()
  expect((await change({ schedules: null })).body).not.toHaveProperty('schedules_stopped')
  const { isStopped, resumedAt } = await readScheduleStop(functions.table)
  expect(isStopped).toBe(false)
  expect(resumedAt).toBeGreaterThanOrEqual(before)
})

it('other changes leave who stopped replies and schedules, and when schedules were started', async () => {
  const { body } = await change({ schedules: 'off', replies: 'off' })
  const stopped = { stopped: body['stopped'], schedules_stopped: body['schedules_stopped'] }
  expect(stopped).toEqual({
    stopped: expect.anything() as object,
    schedules_stopped: expect.anything() as object,
  })
  expect((await change({ instructions: 'Be kind.' })).body).toMatchObject(stopped)
  await putRow({ [resumedAtName]: 5 })
  await change({ instructions: 'Be brief.' })
  expect(await readScheduleStop(functions.table)).toEqual({ isStopped: false, resumedAt: 5 })
})

it('a change is in the log with its values; what changes nothing is not', async () => {
  await change({ tokensPerDay: 5, notice: { text: 'Hello', kind: 'info' } })
  await change({ tokensPerDay: 5 })
  await change({})
  await change({ tokensPerDay: null })
  const { body } = await admin.call('admin.audit')
  const entries = (body['entries'] as { action: string; details?: object }[]).filter(
    ({ action }) => action === 'site.updated',
  )
  expect(entries.slice(0, 2)).toMatchObject([
    { details: { tokensPerDay: '-' } },
    { details: { tokensPerDay: 5, notice: 'Hello' } },
  ])
  expect(entries[0]).toMatchObject({ actor: { id: admin.sub, email: admin.email } })
})
