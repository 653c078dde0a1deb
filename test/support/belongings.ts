import type { StackUser } from './stack-user.ts'

/** What a person leaves with the product. */

/** A word that is nowhere but in what belongs to this person; secrets have it in them. */
export const canaryOf = ({ sub }: StackUser): string => `CANARY-${sub}`

export const notes = { name: 'notes.txt', type: 'text/plain', content: 'Buy milk.' }

/** A saved conversation with one question and one answer. @returns its id */
export async function converse(user: StackUser, content: string): Promise<string> {
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', { body: { messages: [{ role: 'user', content }], sessionId } })
  return sessionId
}

/** Connects by a key that the stand-in for the provider takes. */
export const connect = (user: StackUser) =>
  user.call('integrations.connect', {
    params: { mcpId: 'notion' },
    body: { credentials: { apiKey: `ntn_${canaryOf(user)}` }, environment: 'production' },
  })

export const addTool = (user: StackUser) =>
  user.call('customTools.add', {
    body: {
      name: 'My tool',
      description: '',
      config: { serverUrl: '', apiKey: canaryOf(user), customFields: {} },
    },
  })
