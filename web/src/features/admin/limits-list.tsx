import { t } from '@lingui/core/macro'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { Badge } from '../../components/ui/badge.tsx'
import { useConfig } from '../../lib/api/config.ts'
import { describeLimits } from './describe-limits.ts'

export function LimitsList({ limits, label }: { limits: GroupLimits; label: string }) {
  const phrases = describeLimits(limits, useConfig()?.models)
  if (phrases.length === 0) return <p className="text-sm text-ink-muted">{t`Installation defaults`}</p>
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {phrases.map((phrase) => (
        <li key={phrase} className="max-w-full">
          <Badge wraps>{phrase}</Badge>
        </li>
      ))}
    </ul>
  )
}
