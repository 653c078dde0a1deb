import { EyeOff } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { Tooltip } from '../../components/ui/tooltip.tsx'
import { useStore } from '../../lib/create-store.ts'
import { temporaryChoice } from './temporary-choice.ts'
import * as texts from './texts.tsx'

/** The switch that makes a new chat temporary. */
export function TemporarySwitch() {
  const choice = useStore(temporaryChoice)
  if (!choice) return null
  return (
    <Tooltip text={texts.notSaved}>
      <Button
        size="sm"
        variant={choice.isTemporary ? 'soft' : 'ghost'}
        aria-label={texts.temporaryChat}
        aria-pressed={choice.isTemporary}
        onClick={() => choice.choose(!choice.isTemporary)}
      >
        <EyeOff aria-hidden size={16} />
        <span className="max-lg:hidden">{texts.temporary}</span>
      </Button>
    </Tooltip>
  )
}
