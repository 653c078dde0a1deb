import { EyeOff } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { Tooltip } from '../../components/ui/tooltip.tsx'
import { createStore, useStore } from '../../lib/create-store.ts'
import * as texts from './texts.tsx'

/** Whether the new chat will be temporary, and how to choose; null if there is no choice. Set by the open chat, for the bar above it. */
export const temporaryChoice = createStore<{
  isTemporary: boolean
  choose: (isTemporary: boolean) => void
} | null>(null)

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
