/**
 * The start of the error with which the token trigger refuses an account that may no longer sign in, or only in another way; the
 * reason follows. The page then ends the session, which other errors of the trigger do not.
 */
export const accountRefused = 'This account cannot sign in here'
