import { createHmac } from 'node:crypto'

/** Not secret: it tells reasoning of this server from other text, also after a restart. */
const key = 'juno-demo-reasoning'
const prefix = 'gAAAAAB'

const sign = (payload: string) => createHmac('sha256', key).update(payload).digest()

/** Stands for encrypted reasoning: only this server can have made it, for this model and item. */
export function sealReasoning(model: string, id: string, text: string): string {
  const payload = Buffer.from(JSON.stringify({ model, id, text })).toString('base64url')
  return `${prefix}${payload}.${sign(payload).toString('base64url')}`
}
