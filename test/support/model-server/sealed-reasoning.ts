import { sealReasoning } from '../../../infra/local/doubles/model/responses-reply.ts'

/** @returns whether a sealed text was made for this model and item */
export function isSealedFor(sealed: string, model: string, id: string): boolean {
  const [, payload = ''] = /^gAAAAAB([^.]*)\./.exec(sealed) ?? []
  try {
    const { text } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { text: string }
    return sealReasoning(model, id, text) === sealed
  } catch {
    return false // not made by this server
  }
}
