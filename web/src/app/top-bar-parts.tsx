import { t } from '@lingui/core/macro'
import { FlaskConical } from 'lucide-react'
import { Tooltip } from '../components/ui/tooltip.tsx'
import { TemporarySwitch } from '../features/chat/temporary-switch.tsx'
import { TopBarIntegrations } from '../features/integrations/top-bar/top-bar-integrations.tsx'
import { announce } from '../lib/browser/announce.ts'
import { useConfig } from '../lib/api/config.ts'

/** The switch that makes a new chat temporary, and the integrations. */
export function TopBarTools({ userId }: { userId: string }) {
  return (
    <>
      <TemporarySwitch />
      <TopBarIntegrations userId={userId} />
    </>
  )
}

const demoExplanation = t`Replies come from the built-in demo model until a model key is configured.`

/** Shown while replies come from the demo model. */
export function DemoNote() {
  const config = useConfig()
  if (!config?.demo.model) return null
  return (
    <Tooltip text={demoExplanation} onPress="opens">
      <button
        type="button"
        aria-label={t`Demo model`}
        // a tooltip that opens by a press announces nothing
        onClick={() => announce(demoExplanation)}
        className="inline-flex h-6 shrink-0 items-center max-[359px]:hidden gap-1 rounded-chip px-2 text-xs font-medium whitespace-nowrap text-warning-ink cursor-help hover:bg-surface-hover"
      >
        <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
        <span className="max-sm:hidden">{t`Demo model`}</span>
      </button>
    </Tooltip>
  )
}
