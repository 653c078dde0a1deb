import type { ExternalToast, toast as sonnerToast } from 'sonner'

/** Which icon a toast has. */
export type ToastKind = 'success' | 'error' | 'info'

/** What a toast has beside its title. */
export interface ToastOptions {
  description?: string
  /** one action, e.g. Undo */
  action?: { label: string; onClick: () => void }
  /** a toast with the same id is updated: what is not given stays as it was */
  id?: string
  /** that of the toaster by default */
  durationMs?: number
  /** called when the toast times out or is dismissed, not when its action is used */
  onClose?: () => void
}

type Sonner = typeof sonnerToast

const sonner = Promise.withResolvers<Sonner>()

/** Called by the toaster when it mounts; earlier toasts wait for it. */
export function registerToaster(toast: Sonner): void {
  sonner.resolve(toast)
}

/**
 * Shows a toast for a while (`Toaster`). Not for changes that are visible in place. The toast library loads after the page; this can
 * be called at any time.
 * @returns the toast's id, for `dismissToast`
 */
export function showToast(kind: ToastKind, title: string, options: ToastOptions = {}): string {
  const id = options.id ?? crypto.randomUUID()
  const { description, action, durationMs, onClose } = options
  const settings: ExternalToast = {
    id,
    ...(description !== undefined && { description }),
    ...(action && { action }),
    ...(durationMs !== undefined && { duration: durationMs }),
    ...(onClose && { onAutoClose: onClose, onDismiss: onClose }),
  }
  void sonner.promise.then((toast) => toast[kind](title, settings))
  return id
}

/** Takes a toast away before its time; one that is gone already is not an error. */
export function dismissToast(id: string): void {
  void sonner.promise.then((toast) => toast.dismiss(id))
}

/** Removes all toasts, such as at the sign-out. */
export function dismissAllToasts(): void {
  void sonner.promise.then((toast) => toast.dismiss())
}
