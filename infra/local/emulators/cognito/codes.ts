import { createHash, timingSafeEqual } from 'node:crypto'
import type { MailedCode } from './pool-store.ts'

/** Whether `typed` is the mailed code, in a time that tells nothing about it. */
export function codeMatches({ code }: MailedCode, typed: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(code), digest(typed))
}
