import { createContext } from 'react'

/** Why the visitor has to sign in, which all forms of the sign-in page say; undefined if there is nothing to explain. */
export const SignInReason = createContext<string | undefined>(undefined)
