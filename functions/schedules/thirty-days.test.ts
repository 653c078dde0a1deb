import { expect, it, vi } from 'vitest'
import { weekdays, type Rule } from '#shared/contracts/schedules.ts'
import { nextTime } from '#shared/schedule-times.ts'
import { minuteMs, scheduleWorld, type Fate } from '../../test/support/schedule-world.ts'
import { logger } from '../platform/telemetry/logger.ts'

const days = 30
const count = Number(process.env['SCHEDULES'] ?? 1_000)
const minutesOf = (amount: number) => amount * 24 * 60
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'] as const

/** The same numbers each time. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same number for the same text, between 0 and 1. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function toNumber(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return seededRandom(hash)()
}

it.each([
  ['the end of summer time', '2026-10-10T00:00Z'],
  ['its begin', '2027-03-13T00:00Z'],
])(
  'a thousand schedules over %s: none lost, none twice, none late by more than 15 minutes',
  { tags: 'long' },
  async (_, start) => {
    vi.spyOn(logger, 'error').mockReturnValue()
    const random = seededRandom(20_261_128)
    const pick = <One>(list: readonly [One, ...One[]]): One =>
      list[Math.floor(random() * list.length)] ?? list[0]
    const pad = (limit: number) => String(Math.floor(random() * limit)).padStart(2, '0')
    const world = scheduleWorld(start, { spreadMinutes: 5 })
    const from = world.world.now
    const expected = new Map<string, number>()
    for (let n = 0; n < count; n++) {
      // half of them at eight o'clock or in the hours in which clocks change
      const time =
        random() < 0.3 ? '08:00' : `${random() < 0.3 ? pick(['01', '02', '03']) : pad(24)}:${pad(60)}`
      const rule = pick<Rule>([
        { kind: 'hourly', minute: Math.floor(random() * 60) },
        ...Array.from({ length: 9 }, () => ({ kind: 'daily' as const, time })),
        ...Array.from({ length: 8 }, () => ({ kind: 'weekly' as const, days: [pick(weekdays)], time })),
        { kind: 'monthly', day: pick([1, 15, 31, 'last']), time },
      ])
      const time_zone = pick(zones)
      await world.add(`s${n}`, rule, { time_zone })
      const until = from + minutesOf(days) * minuteMs
      for (
        let at = nextTime(rule, time_zone, from);
        at !== undefined && at <= until;
        at = nextTime(rule, time_zone, at)
      )
        expected.set(`s${n}-${at}`, at)
    }

    const calls = { made: 0, killed: 0, failed: 0 }
    /**
     * Of 1,000 requests two kill their process, before or after they are done, and one fails: by what a request asks, in which minute, and how
     * often its process has, so that the fate of a request does not depend on those before it.
     */
    const fateOf = (process: string): Fate => {
      const asked = new Map<string, number>()
      return (_number, name) => toFate(name, process, asked)
    }
    const toFate = (name: string, process: string, asked: Map<string, number>) => {
      const times = (asked.get(name) ?? 0) + 1
      asked.set(name, times)
      const number = toNumber(`${world.world.now} ${process} ${times} ${name}`)
      calls.made++
      if (number < 0.002) calls.killed++
      else if (number < 0.003) calls.failed++
      return number < 0.001 ? 'before' : number < 0.002 ? 'after' : number < 0.003 ? 'fails' : undefined
    }
    for (let minute = 0; minute < minutesOf(days) + 30; minute++) {
      world.world.now += minuteMs
      await Promise.all([world.pass(fateOf('a')), world.pass(fateOf('b'))])
      // the queue: messages twice, in any order, or a while later
      const messages = world.queue.splice(0).toSorted(() => random() - 0.5)
      const late = messages.filter(() => random() < 0.01)
      world.queue.push(...messages.filter((one) => !late.includes(one) || random() < 0.5))
      await world.work('done', fateOf('worker'))
      world.queue.push(...late)
    }

    const ids = [...expected.keys()].filter((id) => (expected.get(id) ?? 0) < world.world.now - 30 * minuteMs)
    const lost = ids.filter((id) => !world.begun.has(id))
    const starts = [...world.begun].flatMap(([id, times]) =>
      times.map((time) => time - Number(id.split('-')[1])),
    )
    const twice = [...world.begun.values()].filter((times) => times.length > 1)
    const unexpected = [...world.begun.keys()].filter(
      (id) => !expected.has(id) && Number(id.split('-')[1]) <= from + minutesOf(days) * minuteMs,
    )
    const latest = Math.max(...starts) / minuteMs
    const figures = `${calls.made} calls, ${calls.killed} killed their process and ${calls.failed} failed`
    process.stdout.write(`${world.begun.size} runs, the latest after ${latest} minutes; ${figures}\n`)
    expect({ lost, twice, unexpected }).toEqual({ lost: [], twice: [], unexpected: [] })
    expect(latest).toBeLessThanOrEqual(15)
  },
)
