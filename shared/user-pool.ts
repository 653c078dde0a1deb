// What the user pool, its triggers, the functions and the page agree on.

/** Scope of every access token: the pool's trigger adds it, the gateway and the functions require it. */
export const apiScope = 'juno/api'

/**
 * Cognito's own scope for its self-service operations: new e-mail address, password, second factor, deletion. Only the tokens of a
 * sign-in carry it; refreshed tokens do not.
 */
export const selfServiceScope = 'aws.cognito.signin.user.admin'

/**
 * Client metadata of ConfirmSignUp: `true` from a browser that did not start the sign-up. The account is confirmed, and its password is
 * replaced by a random one.
 */
export const replacePasswordKey = 'replacePassword'

/**
 * Client metadata of SignUp: the secret in the link of a mailed invitation. It proves that the address is the user's, so that no second mail
 * has to.
 */
export const invitationSecretKey = 'invitationSecret'

/** Metadata of a request for a mail: the language of the page. */
export const mailLanguageKey = 'language'

/**
 * Normalizes an e-mail address. Only ASCII letters are folded, as in the user pool: Unicode rules would merge different addresses (the
 * KELVIN SIGN lower-cases to a k).
 */
export const foldEmail = (email: string): string =>
  email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The group of the user pool whose members administrate the product. */
export const adminGroup = 'admins'
