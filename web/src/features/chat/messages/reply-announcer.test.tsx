import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { createPendingReply, idleReply } from '../state/pending-reply.ts'
import { ReplyAnnouncer } from './reply-announcer.tsx'

it('announces each of two replies that come in one piece', () => {
  const conversation = fakeConversation()
  render(<ReplyAnnouncer conversation={conversation} />)
  const turn = (number: number) => [
    aChatMessage({ id: `m${number}`, role: 'user' }),
    aChatMessage({ id: `r${number}` }),
  ]
  const texts = [1, 2].flatMap((number) => {
    const { messages } = conversation.getState()
    const readText = () => screen.getByRole('status').textContent
    act(() => conversation.setState({ pending: createPendingReply(`m${number}`, undefined) }))
    const atBeginning = readText()
    act(() => conversation.setState({ pending: idleReply, messages: [...messages, ...turn(number)] }))
    return [atBeginning, readText()]
  })
  expect(texts).toEqual(['', 'Reply finished', '', 'Reply finished'])
})
