import { createContext, use } from 'react'

/** What the page asks of whoever knows the session. */
export interface AccountActions {
  /** forgets a session that the service accepts no more; the page one was on comes back after signing in again */
  expireSignIn: () => Promise<void>
  /**
   * Ends it as logging out does, after the service has ended it.
   * @param notice what to say then; null for nothing
   */
  signOut: (notice: { kind: 'success'; title: string; description: string } | null) => Promise<void>
}

const nothing = async () => undefined

export const AccountActionsContext = createContext<AccountActions>({ expireSignIn: nothing, signOut: nothing })

export const useAccountActions = () => use(AccountActionsContext)
