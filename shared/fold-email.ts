/**
 * One spelling for an e-mail address. Only ASCII letters are folded, as at the user pool: other languages' rules would make one name of
 * addresses that belong to different people (the KELVIN SIGN lower-cases to a k).
 */
export const foldEmail = (email: string): string =>
  email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
