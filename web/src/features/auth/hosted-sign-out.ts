import { showToast } from '../../components/ui/toast.ts'

/** Signing out of the hosted pages leaves this page; what there is to say is said when it comes back. */
const storageKey = 'juno.signed-out'

export interface Notice {
  kind: 'success' | 'error'
  title: string
  description: string
}

export const signedOutNotice: Notice = {
  kind: 'success',
  title: 'Signed out',
  description: 'You have been successfully signed out.',
}

/** Leaves for the hosted sign-out, with what to say afterwards. */
export function leaveWithNotice(address: string, notice: Notice | null): void {
  if (notice) sessionStorage.setItem(storageKey, JSON.stringify(notice))
  location.assign(address)
}

/** Says what was left to say before the page was left, once. */
export function sayLeftNotice(): void {
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  if (stored === null) return
  const { kind, title, description } = JSON.parse(stored) as Notice
  showToast(kind, title, { description })
}
