import { defineSentences } from './to-sentence.ts'

/** When a connection expires. */
export const expirySentences = {
  'expiry.past': 'Expired',
  'expiry.days': 'Expires in {days}d {hours}h',
  'expiry.hours': 'Expires in {hours}h',
  'expiry.minutes': 'Expires in {minutes}m',
} as const

export const sayExpiry = defineSentences(expirySentences)
