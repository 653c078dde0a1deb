import { useEffect, useRef, type ReactNode } from 'react'
import { Popover, PopoverAnchor, PopoverContent } from '../../../components/ui/popover.tsx'
import { isFocusLost } from '../../../lib/input/focus-targets.ts'

/** The props of `AnchoredPopover`. */
export interface AnchoredPopoverProps {
  label: string
  /** the button that opens and closes it */
  button: HTMLElement
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/** A popover anchored to an external button, to which the focus returns. */
export function AnchoredPopover({ label, button, open, onOpenChange, children }: AnchoredPopoverProps) {
  const anchor = useRef(button)
  /** whether a click outside has moved the focus */
  const wasPressedOutside = useRef(false)
  useEffect(() => {
    anchor.current = button
    if (open) wasPressedOutside.current = false
  }, [button, open])
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={anchor} />
      <PopoverContent
        aria-label={label}
        onInteractOutside={(event) => {
          // the button toggles the popover itself: closing it here, too, would open it again
          if (event.target instanceof Node && button.contains(event.target)) event.preventDefault()
          else wasPressedOutside.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // the focus may have moved already, e.g. to another badge
          if (isFocusLost() && !wasPressedOutside.current && button.isConnected) button.focus()
        }}
      >
        {children}
      </PopoverContent>
    </Popover>
  )
}
