import { createHash, timingSafeEqual } from 'node:crypto'
import type { MailedCode } from './pool-store.ts'

/** Whether `enteredCode` is the mailed code. Compares in constant time. */
export function codeMatches({ code }: MailedCode, enteredCode: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(code), digest(enteredCode))
}
