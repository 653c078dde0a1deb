import { t } from '@lingui/core/macro'
import { toast } from 'sonner'
import { ApiError, getErrorMessage, NetworkError } from '../../lib/api-errors.ts'
import { CopyDetailsButton } from '../copy-details-button.tsx'
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

/** Errors of the way to the service: what it has done, they do not say. */
const unconfirmedCodes = new Set(['timeout', 'timed_out', 'function_failed', 'unreadable'])

/** Whether nobody knows what became of an action: the answer is lost. */
const isUnconfirmed = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && unconfirmedCodes.has(error.code))

/** What a toast says below its title. */
function describe({ description, error, describeError = getErrorMessage }: ToastOptions): string | undefined {
  if (error === undefined) return description
  const message =
    isUnconfirmed(error) && navigator.onLine
      ? t`The service did not confirm it. Please look whether it was done before you try again.`
      : describeError(error)
  return description === undefined ? message : `${description}: ${message}`
}

/** Shows toasts by Sonner. */
export const toastList: ToastList = {
  show(id, kind, title, { action, durationMs, onClose, ...options }) {
    const description = describe(options)
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
      ...(kind === 'error'
        ? {
            description: (
              <>
                {description !== undefined && <p>{description}</p>}
                <CopyDetailsButton error={options.error ?? options.cause} />
              </>
            ),
          }
        : description !== undefined && { description }),
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
