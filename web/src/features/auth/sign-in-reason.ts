import { createContext } from 'react'

/** Why the visitor has to sign in, for all forms of the sign-in page; undefined: they wanted to. */
export const SignInReason = createContext<string | undefined>(undefined)
