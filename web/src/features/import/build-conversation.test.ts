import { expect, it } from 'vitest'
import { maxImportedTurns } from '#shared/limits.ts'
import { buildConversation, type MessageNode } from './build-conversation.ts'
import { createLeftOutCounter } from './left-out.ts'

it('counts all messages of the turns for which a conversation has no room', { tags: 'long' }, () => {
  const content = { parts: ['x'], files: [], atMs: undefined }
  const nodes: MessageNode[] = []
  const add = (role: 'user' | 'assistant') =>
    nodes.push({
      id: String(nodes.length),
      parentId: nodes.length === 0 ? undefined : String(nodes.length - 1),
      read: () => ({ content: { ...content, role } }),
    })
  for (let turn = 0; turn < maxImportedTurns; turn += 1) add('user')
  for (let turn = 0; turn < 3; turn += 1) {
    add('user')
    add('assistant')
  }
  const leftOut = createLeftOutCounter()
  const tree = { sourceId: 'long', title: 'Long', isArchived: false, nodes, currentId: undefined }
  const conversation = buildConversation({ ...tree, createdMs: 1, updatedMs: 1 }, leftOut)
  expect([conversation?.turns, leftOut.getCounts().messages?.count]).toEqual([maxImportedTurns, 6])
})
