import { expect, it } from 'vitest'
import type { AssistantHead } from '../assistants/assistant-reader.ts'
import type { StoredConversation } from '../conversations/store/conversation-row.ts'
import { followAssistant } from './open-assistant.ts'

it.each([undefined, true as const])(
  'an assistant that is gone (told before: %s) counts as somebody else’s, whose words are still in the conversation',
  async (gone) => {
    const assistant = { id: 'a1', name: 'Bot', version: 2, ...(gone && { gone }) }
    const followed = await followAssistant(
      {
        assistants: {
          find: async () => undefined,
          loadVersion: async () => undefined,
          countUse: async () => undefined,
        },
      },
      { sub: 'u1', groups: [] },
      {
        session: { assistant } as StoredConversation,
        named: undefined,
        wanted: undefined,
        hasReplies: false,
      },
    )
    expect(followed.stored).toEqual({ ...assistant, gone: true })
    expect(followed.reply).toMatchObject({ name: 'Bot', isMine: false, isKnownGone: true })
    expect(await followed.reply?.content).toBeUndefined()
    expect(followed.notice?.code).toBe(gone ? undefined : 'assistant_gone')
  },
)

it('a conversation stays with its assistant, whichever one a request names', async () => {
  const head = (id: string) => ({ id, name: id, version: 1, publisher: 'u1' }) as AssistantHead
  const followed = await followAssistant(
    {
      assistants: {
        find: async (_, id) => head(id),
        loadVersion: async () => undefined,
        countUse: async () => undefined,
      },
    },
    { sub: 'u1', groups: [] },
    {
      session: { assistant: { id: 'own', name: 'own', version: 1 } } as StoredConversation,
      named: head('another'),
      wanted: 'another',
      hasReplies: false,
    },
  )
  expect(followed.stored).toEqual({ id: 'own', name: 'own', version: 1 })
  expect(followed.reply?.isMine).toBe(true)
})
