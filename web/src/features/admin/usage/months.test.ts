import { expect, it, vi } from 'vitest'
import { listMonths } from './months.ts'

it.each(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'])(
  'lists this month and the last one in UTC, also across the new year, for a user in %s',
  (timeZone) => {
    vi.stubEnv('TZ', timeZone)
    expect(listMonths(new Date('2026-01-31T23:59:00Z'))).toEqual(['2026-01', '2025-12'])
    expect(listMonths(new Date('2026-02-01T00:00:00Z'))).toEqual(['2026-02', '2026-01'])
  },
)
