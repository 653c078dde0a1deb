import { t } from '@lingui/core/macro'
import { toast } from 'sonner'
import { getActionErrorMessage, isUnconfirmed } from '../../lib/api/action-error.ts'
import { CopyDetailsButton } from './copy-details-button.tsx'
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

/** What a toast says below its title. */
function describe({ description, error, describeError }: ToastOptions): string | undefined {
  if (error === undefined) return description
  const message = getActionErrorMessage(error, describeError)
  return description === undefined ? message : `${description}: ${message}`
}

/** Shows toasts by Sonner. */
export const toastList: ToastList = {
  show(id, kind, title, { action, durationMs, onClose, ...options }) {
    const description = describe(options)
    const failure = options.error ?? options.cause
    const shownTitle = isUnconfirmed(options.error) ? t`Unconfirmed: ${{ problem: title }}` : title
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
    toast[kind](shownTitle, {
      id: shown.id,
      ...(failure === undefined
        ? description !== undefined && { description }
        : {
            description: (
              <>
                {description !== undefined && <p>{description}</p>}
                <CopyDetailsButton error={failure} />
              </>
            ),
          }),
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
