/**
 * Begins the error of the trigger of tokens for an account that may not sign in any more, or only in another way; the reason
 * follows. The page ends the session then. Other errors of the trigger leave it as it is.
 */
export const accountRefused = 'This account cannot sign in here'
