import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { QueryClient } from '@tanstack/react-query'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { closeUserResources, getUserResource } from '../../../lib/actions/user-resources.ts'
import { chatApi } from '../stream/chat-api.ts'
import { createReplyFollower, sendDecision } from './send-decision.ts'

const broadcast = vi.hoisted(() => vi.fn<(id: string) => void>())
vi.mock('../../../lib/conversations/conversation-broadcast.ts', async (original) => ({
  ...(await original<object>()),
  broadcastConversationChange: broadcast,
}))
beforeEach(() => broadcast.mockReset())
afterEach(() => vi.restoreAllMocks())

const call: WaitingCall = { session_id: 's1', title: 'Trip', run_id: 'r1', request: anApprovalRequest() }

/** A reply whose stream the test writes. */
function openReply() {
  const cancel = vi.fn<() => void>()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({ start: (one) => void (controller = one), cancel })
  return { stream, cancel, end: () => controller?.close() }
}
const signIn = () => {
  const client = new QueryClient()
  return { follower: getUserResource(client, createReplyFollower), signOut: () => closeUserResources(client) }
}

it('a reply is read to its end, and other tabs are told of its beginning and its end', async () => {
  const { stream, end, cancel } = openReply()
  vi.spyOn(chatApi, 'decide').mockResolvedValue(stream)
  const { ended } = await sendDecision(call, { approved: true, follower: signIn().follower })
  expect(broadcast.mock.calls).toEqual([['s1']])
  end()
  await ended
  expect(broadcast.mock.calls).toEqual([['s1'], ['s1']])
  expect(cancel).not.toHaveBeenCalled()
})

it('after a sign-out a reply is read no further, and nobody is told', async () => {
  const { stream, cancel } = openReply()
  vi.spyOn(chatApi, 'decide').mockResolvedValue(stream)
  const { follower, signOut } = signIn()
  const { ended } = await sendDecision(call, { approved: true, follower })
  signOut()
  await ended
  expect(cancel).toHaveBeenCalledOnce()
  expect(broadcast.mock.calls).toEqual([['s1']])
})

it('a response that comes after a sign-out is not read, and nobody is told', async () => {
  const { stream, cancel } = openReply()
  const response = Promise.withResolvers<typeof stream>()
  vi.spyOn(chatApi, 'decide').mockReturnValue(response.promise)
  const { follower, signOut } = signIn()
  const sending = sendDecision(call, { approved: true, follower })
  signOut()
  response.resolve(stream)
  const { ended } = await sending
  await ended
  expect(cancel).toHaveBeenCalledOnce()
  expect(broadcast).not.toHaveBeenCalled()
})

it('the reply of the next user is not stopped by the one before', async () => {
  const ours = openReply()
  vi.spyOn(chatApi, 'decide').mockResolvedValue(ours.stream)
  await sendDecision(call, { approved: true, follower: signIn().follower })
  vi.spyOn(chatApi, 'decide').mockResolvedValue(openReply().stream)
  await sendDecision(call, { approved: true, follower: signIn().follower })
  expect(ours.cancel).not.toHaveBeenCalled()
})
