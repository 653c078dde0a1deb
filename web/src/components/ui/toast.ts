/** One of an error names what failed. A warning is not about a failure: the page refuses an input, say. */
export type Toast =
  | [kind: 'error', title: string, options: ToastOptions & ({ error: unknown } | { cause: unknown })]
  | [kind: 'warning' | 'success' | 'info', title: string, options?: ToastOptions]

/** What a toast has beside its title. */
export interface ToastOptions {
  description?: string
  /** of an action that failed: its message follows the description, and title and description say if nobody knows whether it was done */
  error?: unknown
  /** an error that title and description have told already; its details can be copied, as those of `error` */
  cause?: unknown
  /** what to say of the error; by default as everywhere */
  describeError?: ((error: unknown) => string) | undefined
  /** one action, e.g. Undo */
  action?: { label: string; onClick: () => void }
  /** a toast with the same id is updated: what is not given stays as it was */
  id?: string
  /** that of the toaster by default */
  durationMs?: number
  /** called when the toast times out or is dismissed, not when its action is used */
  onClose?: () => void
}

/** What shows the toasts. It loads after the page. */
export interface ToastList {
  show: (id: string, kind: Toast[0], title: string, options: ToastOptions) => void
  /** @param id by default all toasts are dismissed */
  dismiss: (id?: string) => void
}

const list = Promise.withResolvers<ToastList>()

/** Called by the toaster when it mounts; earlier toasts wait for it. */
export function registerToaster(toasts: ToastList): void {
  list.resolve(toasts)
}

/**
 * Shows a toast for a while (`Toaster`). Not for changes that are visible in place. The toast library loads after the page; this can
 * be called at any time.
 * @returns the toast's id, for `dismissToast`
 */
export function showToast(...[kind, title, options = {}]: Toast): string {
  const id = options.id ?? crypto.randomUUID()
  void list.promise.then((toasts) => toasts.show(id, kind, title, options))
  return id
}

/** Takes a toast away before its time; one that is gone already is not an error. */
export function dismissToast(id: string): void {
  void list.promise.then((toasts) => toasts.dismiss(id))
}

/** Removes all toasts, such as at the sign-out. */
export function dismissAllToasts(): void {
  void list.promise.then((toasts) => toasts.dismiss())
}
