import { builtinCapabilities } from '#shared/builtin-capabilities.ts'
import type { Integration } from '#shared/contracts/integrations.ts'
import { entryIdOf } from './catalogue.ts'
import { dotTone, requiresAttention } from './connection-status.ts'
import type { StatusTone } from './status-glyph.tsx'

/** LIM-10 */
export const badgesShown = 3
export const tooltipLines = 5

/** What the top bar says about a user's connections. */
export interface Summary {
  active: readonly Integration[]
  /** TOP-21, DEC-098 */
  activeText: string
  /** TOP-22, DEC-098 */
  capabilitiesText: string
  /** the worst of the dots: on a phone the chip carries it */
  worst: StatusTone
}

const severity: readonly StatusTone[] = ['off', 'ok', 'warn', 'bad']

export function summarise(integrations: readonly Integration[]): Summary {
  const active = integrations.filter(({ status }) => status === 'connected')
  const capabilities = active.reduce(
    (sum, { mcp_id }) => sum + (builtinCapabilities[entryIdOf(mcp_id)]?.length ?? 0),
    0,
  )
  const worst = active
    .map(({ token_status }) => dotTone(token_status))
    .reduce<StatusTone>((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a), 'off')
  return {
    active,
    activeText: `${active.length} Active`,
    capabilitiesText: capabilities === 0 ? 'powerful capabilities' : `${capabilities} capabilities`,
    worst,
  }
}

/** TOP-24, DEC-054 */
export function activity(row: Integration, now: Date): 'Active' | 'Attention' {
  return row.health_status === 'attention' || requiresAttention(row, now) ? 'Attention' : 'Active'
}
