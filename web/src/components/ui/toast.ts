import type { ExternalToast, toast as sonnerToast } from 'sonner'

export type ToastKind = 'success' | 'error' | 'info'

export interface ToastOptions {
  description?: string
  /** one thing to do about it, e.g. Undo */
  action?: { label: string; onClick: () => void }
  /** shows again in place instead of once more */
  id?: string
  durationMs?: number
  /** it has gone, by time or by hand; not when its action was taken */
  onClose?: () => void
}

type Sonner = typeof sonnerToast

const sonner = Promise.withResolvers<Sonner>()

/** Called by the toaster once it stands; toasts shown before are waiting for it. */
export function registerToaster(toast: Sonner): void {
  sonner.resolve(toast)
}

/**
 * Shows a toast: 5 s, at most three at once. Never for what is visible in place already.
 * The library behind it loads after the page, so the call can be made at any time.
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

export function dismissToast(id: string): void {
  void sonner.promise.then((toast) => toast.dismiss(id))
}

export function dismissAllToasts(): void {
  void sonner.promise.then((toast) => toast.dismiss())
}
