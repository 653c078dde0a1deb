/** What the user pool's trigger answers to a sign-up that the policy does not admit; the page knows the answers by these words. */
export const signUpRefusals = {
  closed: 'Sign-up is by invitation',
  domains: 'Sign-up is limited to certain e-mail domains',
} as const
