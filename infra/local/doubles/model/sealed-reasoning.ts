import { createHmac, timingSafeEqual } from 'node:crypto'

/** Not secret: it tells reasoning of this server from other text, also after a restart. */
const key = 'juno-demo-reasoning'
const prefix = 'gAAAAAB'

const sign = (payload: string) => createHmac('sha256', key).update(payload).digest()

/** Stands for encrypted reasoning: only this server can have made it, for this model and item. */
export function sealReasoning(model: string, id: string, text: string): string {
  const payload = Buffer.from(JSON.stringify({ model, id, text })).toString('base64url')
  return `${prefix}${payload}.${sign(payload).toString('base64url')}`
}

/** @returns whether a sealed text was made for this model and item */
export function isSealedFor(sealed: string, model: string, id: string): boolean {
  const [payload = '', signature = ''] = sealed.slice(prefix.length).split('.')
  const actual = Buffer.from(signature, 'base64url')
  const expected = sign(payload)
  if (!sealed.startsWith(prefix) || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return false
  const opened = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { model: string; id: string }
  return opened.model === model && opened.id === id
}
