import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { offersTools } from '../state/tools-query.ts'

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const minute = 60_000

/** '2 capabilities · Used 5 times, 3 hours ago'; before one connects only whether there are any (CAP-03, CAP-14). */
export function ToolUsage({
  entry,
  connected,
  tools,
  now,
}: {
  entry: RegistryEntry
  connected: boolean
  /** undefined while it is not known */
  tools: IntegrationTools | undefined
  now: Date
}) {
  if (!connected && offersTools(entry)) return null
  const text = connected ? tools && usageText(tools, now) : 'No tools yet'
  return (
    <p
      className="mt-3 min-h-5 text-sm text-ink-muted"
      title={tools?.capabilities.map(({ name, description }) => `${name}: ${description}`).join('\n')}
    >
      {text}
    </p>
  )
}

export function usageText({ capabilities, problem, usage_count, lastUsed }: IntegrationTools, now: Date) {
  const count = capabilities.length
  const can = problem ?? (count === 1 ? '1 capability' : `${count} capabilities`)
  if (count === 0) return can
  return `${can} · ${usedText(usage_count, lastUsed, now)}`
}

function usedText(count: number, lastUsed: string | null, now: Date): string {
  if (count === 0 || lastUsed === null) return 'Not used yet'
  return `Used ${count === 1 ? 'once' : `${count.toLocaleString('en')} times`}, ${agoText(lastUsed, now)}`
}

function agoText(at: string, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(at)) / minute)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return ago.format(-minutes, 'minute')
  if (minutes < 24 * 60) return ago.format(-Math.floor(minutes / 60), 'hour')
  return ago.format(-Math.floor(minutes / (24 * 60)), 'day')
}
