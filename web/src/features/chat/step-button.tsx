import type { ReactNode } from 'react'
import { IconButton } from '../../components/ui/icon-button.tsx'

/** A button that can have the focus while it does nothing, so that the focus is not lost at the last step. */
export function StepButton({
  label,
  icon,
  blockedReason,
  onPress,
}: {
  label: string
  icon: ReactNode
  /** why it does nothing; undefined if it works */
  blockedReason: string | undefined
  onPress: () => void
}) {
  const isBlocked = blockedReason !== undefined
  return (
    <IconButton
      size="touch"
      label={label}
      icon={icon}
      aria-disabled={isBlocked}
      {...(isBlocked && { description: blockedReason })}
      onClick={() => {
        if (!isBlocked) onPress()
      }}
    />
  )
}
