/**
 * What may stand between the characters of a code that was copied: blanks, dashes of any kind, the minus sign, and invisible characters.
 * Documents and chats write other dashes than keyboards.
 */
export const codeSeparators = /[\s\p{Pd}\p{Cf}\u2212]/gu
