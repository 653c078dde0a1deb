import { t } from '@lingui/core/macro'
import { EyeOff } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { Tooltip } from '../../components/ui/tooltip.tsx'
import { useStore } from '../../lib/browser/create-store.ts'
import { temporaryChoice } from './temporary-choice.ts'

/** The switch that makes a new chat temporary. Renders nothing where there is no choice. */
export function TemporarySwitch() {
  const choice = useStore(temporaryChoice)
  if (!choice) return null
  return (
    <Tooltip text={t`Not saved to your history`}>
      <Button
        size="sm"
        variant={choice.isTemporary ? 'soft' : 'ghost'}
        aria-label={t`Temporary chat`}
        aria-pressed={choice.isTemporary}
        onClick={() => choice.choose(!choice.isTemporary)}
      >
        <EyeOff aria-hidden size={16} />
        <span className="max-lg:hidden">{t`Temporary`}</span>
      </Button>
    </Tooltip>
  )
}
