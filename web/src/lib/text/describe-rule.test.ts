import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Rule } from '#shared/contracts/schedules.ts'

type Describe = (rule: Rule, timeZone: string) => string | undefined

const zone = 'Europe/Vienna'
beforeEach(() => void vi.stubEnv('TZ', zone))
afterEach(() => {
  document.documentElement.lang = 'en'
  vi.resetModules()
})

/** Evaluates the module in a language, in a browser that has it as `tag`. */
async function load(tag: string, language = tag.split('-')[0] ?? ''): Promise<Describe> {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([tag])
  document.documentElement.lang = language
  const { loadCatalogue } = await import('./language.ts')
  await loadCatalogue()
  const { describeRule } = await import('./describe-rule.ts')
  // browsers put other blanks around 'AM'
  return (rule, timeZone) => describeRule(rule, timeZone)?.replaceAll(/[\u202f\u00a0]/g, ' ')
}

const monday: Rule = { kind: 'weekly', days: ['mo'], time: '08:00' }
const rules: readonly Rule[] = [
  monday,
  { kind: 'weekly', days: ['th', 'mo'], time: '16:30' },
  { kind: 'weekly', days: ['fr', 'mo', 'tu', 'we', 'th'], time: '17:00' },
  { kind: 'daily', time: '01:05' },
  { kind: 'hourly', minute: 0 },
  { kind: 'hourly', minute: 15 },
  { kind: 'monthly', day: 1, time: '09:00' },
  { kind: 'monthly', day: 15, time: '09:00' },
  { kind: 'monthly', day: 31, time: '09:00' },
  { kind: 'monthly', day: 'last', time: '09:00' },
  { kind: 'once', at: '2026-12-01T08:00' },
]

it.each(['en-US', 'en-GB', 'de-AT', 'fr-FR', 'es-ES', 'pt-BR', 'ja-JP', 'ar-EG'])(
  'a rule is a sentence in %s',
  async (tag) => {
    const describeRule = await load(tag, tag === 'pt-BR' ? tag : undefined)
    expect(rules.map((rule) => describeRule(rule, zone))).toMatchSnapshot()
  },
)

it('days come in the order of the week of the region, and seven of them are every day', async () => {
  const days = ['su', 'mo', 'sa'] as const
  const american = await load('en-US')
  expect(american({ kind: 'weekly', days: [...days], time: '08:00' }, zone)).toBe(
    'Every Sunday, Monday, and Saturday at 8:00 AM',
  )
  const british = await load('en-GB')
  expect(british({ kind: 'weekly', days: [...days], time: '08:00' }, zone)).toBe(
    'Every Monday, Saturday and Sunday at 08:00',
  )
  const everyDay: Rule = { kind: 'weekly', days: ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'], time: '08:00' }
  expect(british(everyDay, zone)).toBe('Every day at 08:00')
})

it('a zone is named where it is not that of the browser', async () => {
  const describeRule = await load('en-GB')
  expect(describeRule(monday, 'America/New_York')).toBe('Every Monday at 08:00 (America/New York)')
  // one that this browser does not know
  expect(describeRule(monday, 'Mars/Olympus')).toBe('Every Monday at 08:00 (Mars/Olympus)')
})

it('a zone with two names is one zone', async () => {
  vi.stubEnv('TZ', 'Asia/Calcutta')
  const describeRule = await load('en-GB')
  expect(describeRule(monday, 'Asia/Kolkata')).toBe('Every Monday at 08:00')
})

it('an instant is told in the zone of the schedule, a time on the wall as it is', async () => {
  const describeRule = await load('en-GB')
  const instant: Rule = { kind: 'once', at: '2026-12-01T23:30:00Z' }
  expect(describeRule(instant, zone)).toBe('Once: Wednesday, 2 December 2026 at 00:30')
  expect(describeRule({ kind: 'once', at: '2026-12-01T23:30' }, 'Asia/Tokyo')).toBe(
    'Once: Tuesday, 1 December 2026 at 23:30 (Asia/Tokyo)',
  )
  expect(describeRule(instant, 'Mars/Olympus')).toBe(
    'Once: Tuesday, 1 December 2026 at 23:30 UTC (Mars/Olympus)',
  )
})

it('a time with seconds is told as the next minute, in which it runs', async () => {
  const describeRule = await load('en-GB')
  for (const at of ['2026-12-01T22:59:30Z', '2026-12-01T23:59:00.001'])
    expect(describeRule({ kind: 'once', at }, zone)).toBe('Once: Wednesday, 2 December 2026 at 00:00')
})

it('in Spanish one o’clock is singular', async () => {
  const describeRule = await load('es-ES')
  expect(describeRule({ kind: 'daily', time: '01:00' }, zone)).toBe('Todos los días a la 1:00')
  expect(describeRule({ kind: 'daily', time: '13:00' }, zone)).toBe('Todos los días a las 13:00')
})

it('a rule of a newer service has no sentence, also in another zone', async () => {
  const describe = await load('en-US')
  for (const rule of [
    { kind: 'yearly', day: 1 },
    { kind: 'weekly' },
    { kind: 'weekly', days: [], time: '08:00' },
    { kind: 'weekly', days: ['mo', 'feast'], time: '08:00' },
    { kind: 'monthly', day: 'first', time: '08:00' },
    { kind: 'hourly' },
    { kind: 'daily', time: 'noon' },
  ])
    for (const timeZone of [zone, 'America/New_York'])
      expect(describe(rule as unknown as Rule, timeZone)).toBeUndefined()
})
