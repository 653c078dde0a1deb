/*
 * A group has the name that a person has typed. The user pool takes letters, marks, symbols, digits and punctuation, and no blanks
 * (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateGroup.html), so the pool, its tokens and the
 * limits' row have a symbol for each blank. Names are converted where the pool is called, its tokens are read, and the row is read or written.
 */

/** OPEN BOX, the symbol for a blank. */
const blankInPool = '\u2423'

/** The name of a group, as the user pool has it. */
export const toPoolGroupName = (name: string): string => name.replaceAll(' ', blankInPool)

/** The name of a group, as people read it. */
export const fromPoolGroupName = (poolName: string): string => poolName.replaceAll(blankInPool, ' ')

/** One blank between words, none around them, and one spelling of each letter. */
export const normalizeGroupName = (name: string): string =>
  name.normalize('NFC').trim().split(/\s+/u).join(' ')

/** @param text names with commas between them */
export const parseGroupNames = (text = ''): string[] =>
  text.split(',').map(normalizeGroupName).filter(Boolean)

/** Names that differ only in this are too easy to confuse. */
export const foldGroupName = (name: string): string => normalizeGroupName(name).toLowerCase()

/** Of a new group, after `normalizeGroupName`: nothing that separates names in a list, or parts of a path. */
export const groupNamePattern = /^[\p{L}\p{M}\p{N} _.&+'()-]{1,64}$/u
