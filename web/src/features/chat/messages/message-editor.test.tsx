import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { draftPrefixes, writeInputs } from '../../../lib/inputs.ts'
import { MessageList } from './message-list.tsx'

const noop = () => undefined
const turn = (number: number, version = '') => [
  aChatMessage({ id: `u${number}${version}`, role: 'user', content: `Question ${number}` }),
  aChatMessage({ id: `r${number}${version}`, content: `Reply ${number}` }),
]
const findEditor = () => screen.findByLabelText<HTMLTextAreaElement>('Edit your message')
const findSend = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })

/** The last message of a conversation, which is being edited. */
async function edit(draftKey: string, text: string) {
  const conversation = fakeConversation({ messages: [...turn(1), ...turn(2)] })
  const show = () =>
    render(
      <MessageList
        conversation={conversation}
        assistantName="Ada"
        scroller={{ current: null }}
        draftKey={draftKey}
        onResend={() => false}
        onOpenImage={noop}
        onSend={() => false}
        onSignIn={noop}
      />,
      { wrapper: PageProviders },
    )
  const view = show()
  fireEvent.click(screen.getAllByRole('button', { name: 'Edit message' }).at(-1) as HTMLElement)
  fireEvent.change(await findEditor(), { target: { value: text } })
  return { conversation, view, show }
}

type Edited = Awaited<ReturnType<typeof edit>>

it.each<[string, (edited: Edited) => unknown]>([
  [
    'another message is answered, here or elsewhere',
    ({ conversation }) => conversation.setState({ messages: [...turn(1), ...turn(2), ...turn(3)] }),
  ],
  [
    'the reply is written anew',
    ({ conversation }) => conversation.setState({ messages: [...turn(1), ...turn(2, 'b')] }),
  ],
  [
    'it is not shown for a while',
    ({ view, show }) => {
      view.unmount()
      show()
    },
  ],
])('what is typed stays when %s', async (name, disturb) => {
  const edited = await edit(`u/${name}:tab`, 'Question 2, and a long addition')
  await act(async () => edited.conversation.setState({ isReplying: true }))
  expect([(await findEditor()).value, findSend().disabled]).toEqual(['Question 2, and a long addition', true])
  await act(async () => disturb(edited))
  expect((await findEditor()).value).toBe('Question 2, and a long addition')
  await act(async () => edited.conversation.setState({ isReplying: false }))
  expect([(await findEditor()).value, findSend().disabled]).toEqual([
    'Question 2, and a long addition',
    false,
  ])
  fireEvent.keyDown(await findEditor(), { key: 'Escape' })
  expect(screen.queryByLabelText('Edit your message')).toBeNull()
})

it('what is typed is stored, for a reload, until it is sent or cancelled', async () => {
  await edit('u/c9:tab', 'Question 2, by train')
  writeInputs()
  const listStored = () => Object.entries(localStorage).filter(([key]) => key.startsWith(draftPrefixes.edit))
  expect(listStored()).toEqual([[`${draftPrefixes.edit}u/c9:tab#u1`, expect.stringContaining('by train')]])
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(listStored()).toEqual([])
})
