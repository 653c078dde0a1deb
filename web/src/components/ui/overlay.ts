/** The layer behind dialogs and panels. */
export const scrimClass =
  'fixed inset-0 bg-scrim data-[state=open]:animate-fade data-[state=closed]:animate-fade-out'

/** Prevents what would follow from an event. */
export const preventDefault = (event: { preventDefault: () => void }) => event.preventDefault()

/** A press on a toast must not close the dialog. */
export const ignoreToastPress = (event: { target: EventTarget | null; preventDefault: () => void }) => {
  if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]')) event.preventDefault()
}
