import { hash } from 'node:crypto'
import { CognitoError } from './errors.ts'

/** An opaque token for the next page of a list, of no use for another list. */
export const encodePosition = (last: string, list: string): string =>
  Buffer.from(JSON.stringify([hash('sha256', list, 'base64url'), last])).toString('base64url')

/** @throws InvalidParameterException for a token of another list, and for anything else */
export function decodePosition(token: string, list: string): string {
  try {
    const [listHash, last] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[]
    if (listHash === hash('sha256', list, 'base64url') && typeof last === 'string') return last
  } catch {
    // not one of ours
  }
  throw new CognitoError('InvalidParameterException', 'Invalid pagination token.')
}
