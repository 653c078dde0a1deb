/** Where menus and popovers open: at the end of their button. */
export const popoverPosition = { align: 'end', sideOffset: 6, collisionPadding: 8 } as const
/** The classes of menus and popovers. */
export const popoverClass =
  'z-(--z-popover) rounded-lg bg-surface-overlay text-ui floating data-[state=open]:animate-rise data-[state=closed]:animate-sink'
