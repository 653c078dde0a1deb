import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseChartDate } from './chart-dates.ts'

describe.each(['America/New_York', 'Asia/Tokyo', 'UTC'])('in %s', (zone) => {
  const read = (value: unknown) => {
    vi.stubEnv('TZ', zone)
    const date = parseChartDate(value)
    return date && [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours()].join(' ')
  }
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['2026-01-01', '2026 1 1 0'],
    ['2026-1-5', '2026 1 5 0'],
    ['2026/01/05', '2026 1 5 0'],
    ['2026-03', '2026 3 1 0'],
    ['2026', '2026 1 1 0'],
    [2026, '2026 1 1 0'],
    ['2026-01-01T00:00:00Z', '2026 1 1 0'],
    ['2026-01-01T00:00:00.000+00:00', '2026 1 1 0'],
    // 2026-01-01 in UTC
    [1_767_225_600_000, '2026 1 1 0'],
    ['31.12.2026', '2026 12 31 0'],
    ['2026-Q3', '2026 7 1 0'],
    ['Q3 2026', '2026 7 1 0'],
    ['2026-W01', '2025 12 29 0'],
    // a month or a day as one number, and seconds since 1970
    [202_603, '2026 3 1 0'],
    ['202603', '2026 3 1 0'],
    [20_260_331, '2026 3 31 0'],
    ['20260331', '2026 3 31 0'],
    [1_767_225_600, '2026 1 1 0'],
    ['2026-03-31 14:05:00', '2026 3 31 14'],
    ['2026-03-31T14:05', '2026 3 31 14'],
    ['Mar 5, 2026', '2026 3 5 0'],
  ])('%j is %s', (value, expected) => expect(read(value)).toBe(expected))

  it.each([
    ['Monday'],
    ['2026-13'],
    ['202613'],
    ['20260231'],
    ['n/a'],
    [''],
    [null],
    [true],
    [Number.NaN],
    [{}],
  ])('%j is no date', (value) => expect(read(value)).toBeNull())
})
