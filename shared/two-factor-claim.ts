/**
 * Claim of access tokens whose user has to set up a second factor before anything else, with the value `required`. The pool's trigger adds
 * it, the functions refuse such tokens, and the page leads to the set-up.
 */
export const twoFactorClaim = 'two_factor'
