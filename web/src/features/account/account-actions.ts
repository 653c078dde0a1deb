import { createContext, use } from 'react'

/** What the page asks of whoever knows the session. */
export interface AccountActions {
  /** forgets the session of this browser, which the service accepts no more */
  endSession: () => Promise<void>
}

export const AccountActionsContext = createContext<AccountActions>({ endSession: async () => undefined })

export const useAccountActions = () => use(AccountActionsContext)
