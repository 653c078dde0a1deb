import { createContext, use } from 'react'

/** The sign-in operations that the settings need; provided by the app, as features do not import each other. */
export interface AccountActions {
  /** drops tokens that the service no longer accepts; after signing in again the user returns to this page */
  expireSignIn: () => Promise<void>
  /**
   * Signs out after the service has revoked the tokens.
   * @param toast shown afterwards; null for none
   */
  signOut: (toast: { kind: 'success'; title: string; description: string } | null) => Promise<void>
}

const doNothing = async () => undefined

/** Provided by the app around the settings; without it the functions do nothing. */
export const AccountActionsContext = createContext<AccountActions>({
  expireSignIn: doNothing,
  signOut: doNothing,
})

/** The sign-in operations that the app provides. */
export const useAccountActions = () => use(AccountActionsContext)
