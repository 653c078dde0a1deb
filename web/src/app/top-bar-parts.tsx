import { FlaskConical } from 'lucide-react'
import { Tooltip } from '../components/ui/tooltip.tsx'
import { TemporarySwitch } from '../features/chat/temporary-switch.tsx'
import { TopBarIntegrations } from '../features/integrations/top-bar/top-bar-integrations.tsx'
import { useConfig } from '../lib/config.ts'
import * as texts from './texts.ts'

/** The switch of a new chat, and the integrations. */
export function TopBarTools({ userId }: { userId: string }) {
  return (
    <>
      <TemporarySwitch />
      <TopBarIntegrations userId={userId} />
    </>
  )
}

/** Shown while replies come from the demo model. */
export function DemoNote() {
  const config = useConfig()
  if (!config?.demo.model) return null
  return (
    <Tooltip text={texts.demoModelHint} onPress="opens">
      <button
        type="button"
        aria-label={texts.demoModel}
        className="inline-flex h-6 shrink-0 items-center max-[359px]:hidden gap-1 rounded-[6px] px-2 text-xs font-medium whitespace-nowrap text-warning-ink cursor-help hover:bg-surface-hover"
      >
        <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
        <span className="max-sm:hidden">{texts.demoModel}</span>
      </button>
    </Tooltip>
  )
}
