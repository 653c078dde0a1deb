import { toast } from 'sonner'
import type { ToastList, ToastOptions } from './toast.ts'

interface ShownToast {
  /** the one that Sonner knows */
  id: string
  onClose: ToastOptions['onClose']
}

/**
 * The toasts that are shown, by the ids of the page. Sonner removes a toast by its id when the animation of its end is over, and with it
 * one that was shown under the same id meanwhile: a toast that is shown after the end of another one has an id of its own.
 */
const shownToasts = new Map<string, ShownToast>()

/** Shows toasts by Sonner. */
export const toastList: ToastList = {
  show(id, kind, title, { description, action, durationMs, onClose }) {
    const shown = shownToasts.get(id) ?? { id: crypto.randomUUID(), onClose }
    shown.onClose = onClose ?? shown.onClose
    shownToasts.set(id, shown)
    const forget = () => {
      if (shownToasts.get(id) === shown) shownToasts.delete(id)
    }
    const close = () => {
      forget()
      shown.onClose?.()
    }
    toast[kind](title, {
      id: shown.id,
      ...(description !== undefined && { description }),
      ...(action && {
        action: {
          label: action.label,
          onClick: () => {
            forget()
            action.onClick()
          },
        },
      }),
      ...(durationMs !== undefined && { duration: durationMs }),
      onAutoClose: close,
      onDismiss: close,
    })
  },
  dismiss(id) {
    if (id === undefined) {
      shownToasts.clear()
      toast.dismiss()
      return
    }
    const shown = shownToasts.get(id)
    if (!shown) return
    shownToasts.delete(id)
    toast.dismiss(shown.id)
  },
}
