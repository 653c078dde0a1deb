import { act, render } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import type { Conversation } from '../state/conversation.ts'
import { EarlierMessages } from './earlier-messages.tsx'

it('loads from a position again, after the messages before it have gone', async () => {
  let reachTop = () => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        reachTop = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never)
      }
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const loadEarlier = vi.fn<Conversation['loadEarlier']>(async () =>
    conversation.setState({ previousCursor: null }),
  )
  const conversation = fakeConversation({ previousCursor: '000021#1' }, { loadEarlier })
  render(
    <EarlierMessages
      conversation={conversation}
      hiddenCount={0}
      scroller={{ current: null }}
      onShow={() => undefined}
    />,
  )
  await act(async () => {
    reachTop()
    reachTop()
  })
  expect(loadEarlier).toHaveBeenCalledOnce()
  // another version of the conversation, of which the newest page begins there, too
  act(() => conversation.setState({ previousCursor: '000021#1' }))
  await act(async () => reachTop())
  expect(loadEarlier).toHaveBeenCalledTimes(2)
})
