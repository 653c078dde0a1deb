import type { Integration } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { dotTone, requiresAttention } from '../state/connection-status.ts'
import type { StatusTone } from '../components/status-icon.tsx'
import { countCapabilities } from '../state/tools-query.ts'

/** LIM-10 */
export const badgesShown = 3
export const tooltipLines = 5

/** What the top bar says about a user's connections. */
export interface Summary {
  active: readonly Integration[]
  /** TOP-21, DEC-098 */
  activeText: string
  /** TOP-22, DEC-098; undefined while they are not known */
  capabilitiesText: string | undefined
  /** the worst of the dots: on a phone the chip carries it */
  worst: StatusTone
}

const severity: readonly StatusTone[] = ['off', 'ok', 'warn', 'bad']

export function summarise(
  integrations: readonly Integration[],
  tools: readonly IntegrationTools[] | undefined,
  now: Date,
): Summary {
  const active = integrations.filter(({ status }) => status === 'connected')
  // custom servers are no integrations: they count in neither number
  const capabilities =
    tools && countCapabilities(tools.filter(({ id }) => active.some((row) => row.mcp_id === id)))
  const worst = active
    .map((row) => dotTone(row, now))
    .reduce<StatusTone>((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a), 'off')
  return {
    active,
    activeText: `${active.length} Active`,
    capabilitiesText:
      capabilities === 0
        ? 'powerful capabilities'
        : capabilities === undefined
          ? undefined
          : `${capabilities} capabilities`,
    worst,
  }
}

/** TOP-24, DEC-054 */
export function activity(row: Integration, now: Date): 'Active' | 'Attention' {
  return row.health_status === 'attention' || requiresAttention(row, now) ? 'Attention' : 'Active'
}
