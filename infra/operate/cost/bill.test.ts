import { describe, expect, it } from 'vitest'
import { calculateBill, idle, type PriceName, sumUsd, sumUsdPerThousandTurns, type Usage } from './bill.ts'
import { listSavings } from './savings.ts'
import priceList from './prices.json' with { type: 'json' }
import type { DeployedResources } from './deployed-resources.ts'

const deployed: DeployedResources = {
  secrets: 2,
  keys: 0,
  alarms: 2,
  dashboards: 0,
  metrics: 0,
  webAcls: 0,
  webRules: 0,
  logRetentionDays: 30,
  vault: 'secrets',
  tracing: false,
  federation: false,
  ses: false,
  memoryMb: {
    Chat: 512,
    Account: 512,
    Integrations: 512,
    Tools: 512,
    Files: 512,
    Documents: 512,
    DocumentParser: 1_024,
    RegistrySync: 512,
    ConnectionRefresh: 512,
    ModelCheck: 256,
    ScheduleDispatcher: 256,
    Notifier: 256,
  },
}

const countUnits = (usage: Partial<Usage>, resourceChanges: Partial<DeployedResources> = {}) => {
  const lines = calculateBill({ ...idle, ...usage }, { ...deployed, ...resourceChanges })
  return (price: PriceName) =>
    lines.filter((line) => line.price === price).reduce((sum, { units }) => sum + units, 0)
}
const priceUsd = (usage: Partial<Usage>, resourceChanges: Partial<DeployedResources> = {}) => {
  const lines = calculateBill({ ...idle, ...usage }, { ...deployed, ...resourceChanges })
  return (price: PriceName) =>
    lines.filter((line) => line.price === price).reduce((sum, { usd }) => sum + usd, 0)
}

const minutes = 31 * 24 * 60
/** of all jobs of a month */
const jobGbSeconds = 31 * ((30 + 24) * 0.5 + 0.25) + minutes * 0.05 * 0.25

describe('calculateBill', () => {
  it('an idle product pays for its idle resources and its daily jobs', () => {
    const usd = priceUsd({})
    expect(usd('secret')).toBeCloseTo(2 * 0.4)
    expect(usd('alarm')).toBeCloseTo(2 * 0.1)
    // 31 runs of 30 s and 744 of 1 s with half a GB, and with a quarter 31 of 1 s and 44,640 of 50 ms
    expect(usd('lambdaCompute')).toBeCloseTo((jobGbSeconds * 13.3334) / 1e6, 8)
    // the sync and the check each day, the refresh each hour, the dispatcher each minute
    expect(countUnits({})('schedule')).toBe(26 * 31 + minutes)
    // 31 runs that write the whole registry
    expect(usd('tableWrite')).toBeCloseTo((31 * 904 * 0.625) / 1e6, 8)
    expect(sumUsd(calculateBill(idle, deployed))).toBeLessThan(2)
  })

  it('a thousand turns of 10 s match a calculation by hand', () => {
    const usd = priceUsd({ turns: 1_000 })
    expect(usd('gatewayRequest')).toBeCloseTo(0.0035, 8)
    // 10 s with half a GB each, and the daily jobs
    expect(usd('lambdaCompute')).toBeCloseTo(((5_000 + jobGbSeconds) * 13.3334) / 1e6, 8)
    expect(usd('tableWrite')).toBeCloseTo(((20_000 + 28_024) * 0.625) / 1e6, 8)
    expect(usd('tableRead')).toBeCloseTo(((17_000 + 3 * minutes) * 0.125) / 1e6, 8)
    // each sends 20 kB to the model
    expect(usd('transferOut')).toBeCloseTo(0.02 * 0.09, 8)
  })

  it('a visit is four calls, and 60 files for a browser with an empty cache', () => {
    const units = countUnits({ users: 10, visits: 100 })
    expect(units('gatewayRequest')).toBe(400)
    // three visits of each user find an empty cache
    expect(units('siteFunction')).toBe(30 * 60 + 70 * 3)
    expect(units('siteRequest')).toBe(400 + 30 * 60 + 70 * 3)
    expect(units('activeUser')).toBe(10)
    expect(units('federatedUser')).toBe(0)
  })

  it('DEC-191 users of an identity provider have their own price, and 50 are free', () => {
    const withFederation = { ...deployed, federation: true }
    const line = (freeTier: boolean) =>
      calculateBill({ ...idle, users: 60, freeTier }, withFederation).filter(
        ({ service }) => service === 'Cognito',
      )
    expect(line(true)).toMatchObject([{ price: 'federatedUser', units: 60, usd: expect.closeTo(0.15) }])
    expect(line(false)).toMatchObject([{ usd: expect.closeTo(0.9) }])
  })

  it('with fewer visits than empty caches, every visit loads the files', () => {
    expect(countUnits({ users: 10, visits: 4 })('siteFunction')).toBe(4 * 60)
  })

  it('stored data grows with the months, and is paid for twice: in the table and in its backups', () => {
    const usd = priceUsd({ turns: 1_000_000, months: 12 })
    const gb = (1_000_000 * 2_021 * 12) / 1e9
    expect(usd('tableStorage')).toBeCloseTo(gb * 0.25, 6)
    expect(usd('tableBackup')).toBeCloseTo(gb * 0.2, 6)
  })

  it.each([
    [1, 9.875],
    [2, 11],
    [6, 15.5],
    [10, 20],
    [20, 33.5],
    [30, 47],
    [40, 60.5],
  ])('a reply of %d s writes %d units, interpolated between measured ones', (seconds, writes) => {
    const lines = countUnits({ turns: 1, seconds })('tableWrite') - countUnits({})('tableWrite')
    expect(lines).toBeCloseTo(writes)
  })

  it('a scheduled run is a reply without the gateway, with its queue and what becomes of it', () => {
    const countAdded = (price: PriceName) => countUnits({ runs: 1_000 })(price) - countUnits({})(price)
    expect(countAdded('gatewayRequest')).toBe(0)
    expect(countAdded('queueRequest')).toBe(3_000)
    expect(countAdded('lambdaRequest')).toBe(2_000)
    // ten seconds with half a GB, and one that tells its person with a quarter
    expect(countAdded('lambdaCompute')).toBeCloseTo(1_000 * (5 + 0.25))
    expect(countAdded('tableWrite')).toBeCloseTo(1_000 * (20 + 6))
  })

  it('every user has a secret for each connection with submitted credentials', () => {
    expect(priceUsd({ users: 5, integrations: 3 })('secret')).toBeCloseTo((2 + 15) * 0.4)
  })

  it('DEC-186 every connection is refreshed once a day', () => {
    const usageOverrides = { users: 5, integrations: 3 }
    const countAdded = (price: PriceName) => countUnits(usageOverrides)(price) - countUnits({})(price)
    const refreshes = 5 * 3 * 31
    expect([countAdded('tableWrite'), countAdded('tableRead'), countAdded('secretCall')]).toEqual([
      refreshes * 5,
      refreshes * 6,
      refreshes,
    ])
    expect(countAdded('lambdaCompute')).toBeCloseTo(refreshes * 0.1 * 0.5)
  })

  it('traces, e-mails and inspected requests cost nothing where there are none', () => {
    const without = countUnits({ users: 10, turns: 100, visits: 20 })
    expect([without('trace'), without('mail'), without('webInspection')]).toEqual([0, 0, 0])
    const units = countUnits(
      { users: 10, turns: 100, visits: 20 },
      { tracing: true, ses: true, webAcls: 1, webRules: 4 },
    )
    expect(units('trace')).toBe(100 + 80 + 26 * 31)
    expect(units('mail')).toBe(20)
    expect(units('webInspection')).toBe(units('siteRequest'))
  })

  it('logs are paid for by their bytes and by their retention', () => {
    const month = priceUsd({ turns: 1_000 })
    const week = priceUsd({ turns: 1_000 }, { logRetentionDays: 7 })
    expect(week('logIngested')).toBe(month('logIngested'))
    expect(week('logStored')).toBeCloseTo((month('logStored') * 7) / 30, 10)
  })

  it('custom metrics cost by the hours with users', () => {
    // one is sent each minute
    expect(countUnits({}, { metrics: 10 })('metric')).toBe(1)
    expect(countUnits({ visits: 73 }, { metrics: 10 })('metric')).toBeCloseTo(1.9)
    expect(countUnits({ visits: 10_000 }, { metrics: 10 })('metric')).toBe(10)
  })

  it('free allowances are subtracted once, across all uses', () => {
    // two lines share 400,000 GB-s: 350,000 of replies and 1,402.75 of the jobs, then 50,000 more
    expect(priceUsd({ turns: 70_000, freeTier: true })('lambdaCompute')).toBe(0)
    expect(priceUsd({ turns: 80_000, freeTier: true })('lambdaCompute')).toBeCloseTo(
      (jobGbSeconds * 13.3334) / 1e6,
      8,
    )
    expect(priceUsd({ freeTier: true })('alarm')).toBe(0)
    expect(priceUsd({ freeTier: true })('secret')).toBeCloseTo(0.8)
  })
})

describe('sumUsdPerThousandTurns', () => {
  it('is the cost of the turns only, without users and idle resources', () => {
    const moreResources = { ...deployed, secrets: 20, alarms: 50, metrics: 12 }
    expect(sumUsdPerThousandTurns(moreResources)).toBeCloseTo(sumUsdPerThousandTurns(deployed), 10)
    expect(sumUsdPerThousandTurns(deployed)).toBeGreaterThan(0.0667)
    expect(sumUsdPerThousandTurns(deployed)).toBeLessThanOrEqual(0.15)
  })
})

describe('listSavings', () => {
  const usage = { ...idle, users: 10, turns: 1_000, visits: 200, integrations: 2, months: 1 }
  const findSaving = (
    what: string,
    resourceChanges: Partial<DeployedResources> = {},
    usageOverrides: Partial<Usage> = {},
  ) =>
    listSavings({ ...usage, ...usageOverrides }, { ...deployed, ...resourceChanges }).find((one) =>
      one.what.startsWith(what),
    )?.usd

  it('lists what each decision adds or saves', () => {
    expect(findSaving('Credentials in a secret', { vault: 'table', keys: 1 })).toBeCloseTo(20 * 0.4 - 1)
    expect(findSaving('A WAF with 4 rules')).toBeCloseTo(9 + (0.6 * (1_800 + 30 * 60 + 170 * 3)) / 1e6, 6)
    expect(findSaving('Credentials sealed')).toBeCloseTo(1 - 20 * 0.4)
    expect(findSaving('No monitoring')).toBeCloseTo(-0.2)
    expect(findSaving('The chat function with 1024 MB')).toBeCloseTo((5_000 * 13.3334) / 1e6, 8)
    expect(findSaving('No monitoring', { dashboards: 1, metrics: 10 })).toBeCloseTo(
      -0.2 - 3 - 0.3 - (2.7 * 200) / 730,
    )
    expect(findSaving('No WAF', { webAcls: 1, webRules: 4 })).toBeCloseTo(-9, 2)
    expect(findSaving('No traces', { tracing: true })).toBeCloseTo((-5 * (1_800 + 26 * 31)) / 1e6, 6)
  })

  it('weighs the cheapest plan of CloudFront that holds the usage, and the next one', () => {
    const plan = (name: string) => `CloudFront’s plan ${name}`
    const lines = calculateBill(usage, deployed).filter(({ service }) => service === 'CloudFront')
    expect(findSaving(plan('Free'))).toBeCloseTo(-sumUsd(lines), 8)
    expect(findSaving(plan('Pro'))).toBeCloseTo(15 - sumUsd(lines), 8)
    expect(findSaving(plan('Business'))).toBeUndefined()
    // a WAF is part of it
    expect(findSaving(plan('Free'), { webAcls: 1, webRules: 4 })).toBeCloseTo(-9 - sumUsd(lines), 2)
    // a turn is a request
    expect(findSaving(plan('Free'), {}, { turns: 995_000, visits: 0 })).toBeDefined()
    expect(findSaving(plan('Free'), {}, { turns: 1_000_001, visits: 0 })).toBeUndefined()
    expect(findSaving(plan('Business'), {}, { turns: 1_000_001, visits: 0 })).toBeDefined()
  })

  it('leaves out decisions without an effect', () => {
    expect(findSaving('No monitoring', { alarms: 0 })).toBeUndefined()
    expect(findSaving('Credentials', {}, { integrations: 0 })).toBeUndefined()
    expect(findSaving("AWS's lasting", {}, { freeTier: true })).toBeUndefined()
  })
})

describe('prices', () => {
  const sources: Readonly<Record<string, string>> = priceList.sources

  it.each(Object.entries(priceList.prices))('%s names its source and its date', (_, price) => {
    expect(price.usd).toBeGreaterThan(0)
    expect(price.per).toBeGreaterThan(0)
    expect(new URL(sources[price.source] ?? '').hostname).toMatch(/(^|\.)(amazonaws|amazon)\.com$/)
    expect(price.date).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(price.date <= priceList.checkedOn).toBe(true)
  })
})
