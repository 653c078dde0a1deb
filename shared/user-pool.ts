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
