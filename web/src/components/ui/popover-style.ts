/** Where what opens from a button stands, and how it looks and moves: menus and popovers. */
export const floatingPlace = { align: 'end', sideOffset: 6, collisionPadding: 8 } as const
export const floatingLook =
  'z-(--z-popover) rounded-lg bg-surface-overlay text-ui floating data-[state=open]:animate-rise data-[state=closed]:animate-sink'
