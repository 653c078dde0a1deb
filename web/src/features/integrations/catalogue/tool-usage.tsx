import { plural, t } from '@lingui/core/macro'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { formatAgo } from '../../../lib/text/format-ago.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { translateSentence } from '../../../lib/text/translate.ts'

const describeUses = (count: number, ago: string) =>
  plural(count, { 1: `Used once, ${ago}`, other: `Used # times, ${ago}` })

/** '2 capabilities · Used 5 times, 3 hours ago'; before connecting, only 'No tools yet' if there are none. */
export function ToolUsage({
  entry,
  isConnected,
  tools,
  now,
}: {
  entry: RegistryEntry
  isConnected: boolean
  /** undefined until known */
  tools: IntegrationTools | undefined
  now: Date
}) {
  if (!isConnected && hasTools(entry)) return null
  const text = isConnected ? tools && formatUsage(tools, now) : t`No tools yet`
  return (
    <p
      className="min-h-5 text-ink-muted"
      title={tools?.capabilities.map(({ name }) => translateName(name)).join('\n')}
    >
      {text}
    </p>
  )
}

/** `2 capabilities · Used 5 times, 3 hours ago`; a problem of the server replaces the number of capabilities. */
export function formatUsage(
  { capabilities, problem, code, params, usage_count, lastUsed }: IntegrationTools,
  now: Date,
) {
  const count = capabilities.length
  const summary =
    problem === null
      ? plural(count, { one: '# capability', other: `# capabilities` })
      : translateSentence({ code, params, text: problem })
  if (count === 0) return summary
  return `${summary} · ${formatUseCount(usage_count, lastUsed, now)}`
}

function formatUseCount(count: number, lastUsed: string | null, now: Date): string {
  const at = new Date(lastUsed ?? '')
  if (count === 0 || Number.isNaN(at.getTime())) return t`Not used yet`
  return describeUses(count, formatAgo(at, now))
}

/** Whether an entry has tools, as far as that is known before connecting. */
const hasTools = ({ tools }: Pick<RegistryEntry, 'tools'>): boolean => tools?.length !== 0
