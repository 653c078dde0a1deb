// What the user pool, its triggers, the functions and the page agree on.

/** Every access token of the product carries this scope: the pool's trigger adds it, and the gateway and the functions ask for it. */
export const apiScope = 'juno/api'

/**
 * Cognito's own scope for its self-service operations: new e-mail address, password, second factor, deletion. Only the tokens of a
 * sign-in carry it; a refresh gives tokens without it.
 */
export const selfServiceScope = 'aws.cognito.signin.user.admin'

/**
 * Client metadata of ConfirmSignUp: `true` from a browser that cannot show who chose the password. The account is confirmed, and
 * that password is replaced by one that nobody knows.
 */
export const replacePasswordKey = 'replacePassword'

/**
 * One spelling for an e-mail address. Only ASCII letters are folded, as at the user pool: other languages' rules would make one name of
 * addresses that belong to different people (the KELVIN SIGN lower-cases to a k).
 */
export const foldEmail = (email: string): string =>
  email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What the user pool's trigger answers to a sign-up that the policy does not admit; the page knows the answers by these words. */
export const signUpErrors = {
  closed: 'Sign-up is by invitation',
  domains: 'Sign-up is limited to certain e-mail domains',
} as const
