import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { draftPrefixes, writeInputs } from '../../../lib/input/inputs.ts'
import type { Conversation } from '../state/conversation.ts'
import { MessageList } from './message-list.tsx'

const noop = () => undefined
const turn = (number: number, version = '') => [
  aChatMessage({ id: `u${number}${version}`, role: 'user', content: `Question ${number}` }),
  aChatMessage({ id: `r${number}${version}`, content: `Reply ${number}` }),
]
const findEditor = () => screen.findByLabelText<HTMLTextAreaElement>('Edit your message')
const findSend = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })

/** The last message of a conversation, which is being edited. */
async function edit(
  draftKey: string,
  text: string,
  {
    messages = [...turn(1), ...turn(2)],
    onResend = () => false,
  }: { messages?: ReturnType<typeof turn>; onResend?: Conversation['resend'] } = {},
) {
  const conversation = fakeConversation({ messages })
  const show = () =>
    render(
      <MessageList
        conversation={conversation}
        assistantName="Ada"
        scroller={{ current: null }}
        draftKey={draftKey}
        onResend={onResend}
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

it('promises an earlier version only where there will be one', async () => {
  const { conversation } = await edit('u/versions:tab', 'Question 2, and more')
  expect(screen.getByText(/stay available as an earlier version/)).toBeTruthy()
  act(() => conversation.setState({ isTemporary: true }))
  expect(screen.queryByText(/stay available as an earlier version/)).toBeNull()
})

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

describe('the files of the message', () => {
  const attachments = ['a.pdf', 'b.pdf'].map((name) => ({
    id: name[0] ?? '',
    name,
    type: 'application/pdf',
    size: 1_000,
  }))
  const messages = [
    aChatMessage({ id: 'u1', role: 'user', content: 'Compare', attachments }),
    aChatMessage({ id: 'r1' }),
  ]
  const remove = (name: string) => fireEvent.click(screen.getByRole('button', { name: `Remove ${name}` }))

  it('can be left out of the new version: gwdg/chat-ai#153', async () => {
    const onResend = vi.fn<Conversation['resend']>(() => true)
    await edit('u/files:tab', 'Summarise', { messages, onResend })
    remove('a.pdf')
    expect(screen.queryByText('a.pdf')).toBeNull()
    fireEvent.click(findSend())
    expect(onResend).toHaveBeenCalledExactlyOnceWith('u1', 'Summarise', [attachments[1]])
    expect(screen.queryByLabelText('Edit your message')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Edit message' }))
    expect(screen.getByRole('button', { name: 'Remove a.pdf' })).toBeDefined()
  })

  it('the focus moves to the text when a file is removed, because its button is gone', async () => {
    await edit('u/focus:tab', 'Summarise', { messages })
    screen.getByRole('button', { name: 'Remove a.pdf' }).focus()
    remove('a.pdf')
    expect(document.activeElement).toBe(await findEditor())
  })

  it('stay after Cancel; without any of them the message needs a text', async () => {
    await edit('u/cancel:tab', '', { messages })
    remove('a.pdf')
    expect(findSend().disabled).toBe(false)
    remove('b.pdf')
    expect(findSend().disabled).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findAllByText(/^[ab]\.pdf$/)).toHaveLength(2)
    fireEvent.click(screen.getByRole('button', { name: 'Edit message' }))
    expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(2)
  })
})
