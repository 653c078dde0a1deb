import { render } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import type { Rule } from '#shared/contracts/schedules.ts'
import { ScheduleLine } from './schedule-line.tsx'

it.each([{ kind: 'yearly' }, { kind: 'weekly' }])(
  'a rule that this release cannot describe is left out: %o',
  (rule) => {
    const when = { rule: rule as unknown as Rule, timeZone: 'Europe/Vienna' }
    const { container } = render(
      <MemoryRouter>
        <ScheduleLine result={{ kind: 'created', prompt: 'Read my mail', when }} />
      </MemoryRouter>,
    )
    expect(container.textContent).toBe('Schedule created: Read my mailScheduled')
  },
)
