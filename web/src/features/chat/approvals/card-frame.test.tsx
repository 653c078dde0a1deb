import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Elicitation } from '#shared/contracts/elicitation.ts'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { holdCardClock, unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { AppQuestionCard, type AppQuestion } from '../apps/app-question-card.tsx'
import type { Conversation } from '../state/conversation.ts'
import { ApprovalCards } from './approval-cards.tsx'
import { ReconnectContext } from './reconnect-context.ts'

const decide = vi.fn<Conversation['decide']>()
const decideApp = vi.fn<() => void>()
let conversation: Conversation
/** where the buttons are */
let topPx = 0
beforeEach(() => {
  decide.mockReset()
  decideApp.mockReset()
  conversation = fakeConversation({}, { decide })
  topPx = 400
  holdCardClock()
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(20, topPx, 80, 40),
  )
})

const cardOf = (changes: Partial<ApprovalRequest> = {}): ReactElement => (
  <ReconnectContext value={({ onConnected }) => <button onClick={onConnected}>Reconnect</button>}>
    <ApprovalCards
      conversation={conversation}
      approvals={[anApprovalRequest(changes)]}
      assistantName="Juno"
    />
  </ReconnectContext>
)
const elicitation = (
  request: Partial<Elicitation> & Pick<Elicitation, 'mode'>,
): Partial<ApprovalRequest> => ({
  kind: 'elicitation',
  elicitations: [{ key: 'k', message: '', ...request } as Elicitation],
})
const appCard = (question: AppQuestion) => (
  <AppQuestionCard question={question} server="Shop" onDecide={decideApp} />
)
const appCall = { title: 'Order', arguments: {}, destructive: false } as Extract<
  AppQuestion,
  { kind: 'call' }
>['approval']

/** Every kind of card. */
const cards: [kind: string, card: () => ReactElement][] = [
  ['an e-mail', () => cardOf()],
  [
    'an e-mail with hidden characters',
    () => cardOf({ arguments: { to: 'a@example.org', subject: 'x\u200by', body: 'z' } }),
  ],
  ['another call', () => cardOf({ title: 'Create a file', arguments: { name: 'a' } })],
  ['a change of the memory', () => cardOf({ tool: 'remember', integration: null, arguments: { text: 'a' } })],
  ['a form', () => cardOf(elicitation({ mode: 'form', fields: [] }))],
  ['a web page', () => cardOf(elicitation({ mode: 'url', url: 'https://a.example/', host: 'a.example' }))],
  ['a reconnection', () => cardOf({ kind: 'reconnect' })],
  [
    'a task',
    () => cardOf({ kind: 'task', task: { started_at: new Date().toISOString(), poll_after_ms: 60_000 } }),
  ],
  ['an expired request', () => cardOf({ asked_at: '2020-01-01T00:00:00Z' })],
  ['a call of an app', () => appCard({ kind: 'call', approval: appCall })],
  ['a link of an app', () => appCard({ kind: 'link', url: new URL('https://shop.example/pay') })],
  ['a message of an app', () => appCard({ kind: 'message', text: 'Hi' })],
]

/** The buttons and links of the card. */
async function findButtons(): Promise<HTMLElement[]> {
  await waitFor(() => expect(document.querySelector('footer button')).not.toBeNull())
  return [...document.querySelectorAll<HTMLElement>('section button, section a')]
}

/** Whether the button hears the press, which is the same event for the pointer and for Enter and Space. */
function takesPress(button: HTMLElement, type = 'click'): boolean {
  const onPress = vi.fn<(event: Event) => void>((event) => {
    event.preventDefault()
    event.stopPropagation()
  })
  button.addEventListener(type, onPress)
  const press = new MouseEvent(type, { bubbles: true, cancelable: true, button: type === 'click' ? 0 : 1 })
  act(() => void button.dispatchEvent(press))
  button.removeEventListener(type, onPress)
  // a press that is not taken opens no link and submits no form
  expect(press.defaultPrevented).toBe(true)
  return onPress.mock.calls.length > 0
}

describe.each(cards)('%s takes no press', (_, card) => {
  it('until all of its buttons have been there for a moment', async () => {
    render(card(), { wrapper: PageProviders })
    const buttons = await findButtons()
    expect(buttons.length).toBeGreaterThan(0)
    expect(buttons.map((button) => takesPress(button))).toEqual(buttons.map(() => false))
    expect(takesPress(buttons[0] as HTMLElement, 'auxclick')).toBe(false)
    expect(document.querySelector('footer')?.getAttribute('aria-disabled')).toBe('true')
    const looksLocked = (button: Element) => button.closest('[aria-disabled]') !== null
    expect(buttons.filter((button) => !looksLocked(button))).toEqual([])
    unlockCards()
    expect(buttons.map((button) => takesPress(button))).toEqual(buttons.map(() => true))
    await waitFor(() => expect(buttons.filter(looksLocked)).toEqual([]))
    await waitFor(() => expect(document.querySelector('footer')?.getAttribute('aria-disabled')).toBeNull())
    expect([decide.mock.calls, decideApp.mock.calls]).toEqual([[], []])
  })

  it('just after it has moved under the pointer, unless the user scrolled or typed', async () => {
    render(card(), { wrapper: PageProviders })
    const buttons = await findButtons()
    unlockCards()
    expect(buttons.every((button) => takesPress(button))).toBe(true)
    topPx -= 150
    expect(buttons.some((button) => takesPress(button))).toBe(false)
    unlockCards()
    expect(buttons.every((button) => takesPress(button))).toBe(true)
    fireEvent.wheel(document.body)
    topPx -= 150
    // the pointer goes down before anything has measured
    fireEvent.pointerDown(document.body)
    expect(buttons.every((button) => takesPress(button))).toBe(true)
    // a field above has grown with what was typed
    fireEvent.input(document.body)
    topPx -= 150
    fireEvent.pointerDown(document.body)
    expect(buttons.every((button) => takesPress(button))).toBe(true)
    // scrolled by a screen reader, without an event
    document.body.scrollTop += 150
    topPx -= 150
    expect(buttons.every((button) => takesPress(button))).toBe(true)
    // what moves after a press was not moved by the scrolling
    fireEvent.pointerDown(document.body)
    topPx -= 150
    expect(buttons.some((button) => takesPress(button))).toBe(false)
  })
})

it('a second press on Approve does not approve the next e-mail, and the decided card keeps its height meanwhile', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(240)
  const first = anApprovalRequest({ call_id: 'c1' })
  const second = anApprovalRequest({ call_id: 'c2', title: 'Send another' })
  const renderBoth = (...approvals: ApprovalRequest[]) => (
    <ApprovalCards conversation={conversation} approvals={approvals} assistantName="Juno" />
  )
  const view = render(renderBoth(first, second), { wrapper: PageProviders })
  const clickApprove = (position: number) =>
    act(async () =>
      fireEvent.click(screen.getAllByRole('button', { name: 'Approve' })[position] as HTMLElement),
    )
  unlockCards()
  await clickApprove(0)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }]])

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  view.rerender(renderBoth({ ...first, decision: 'approved' }, second))
  const place = screen.getByText(/Approved/).closest<HTMLElement>('[style]')
  expect(place?.style.minHeight).toBe('240px')
  vi.advanceTimersByTime(799)
  expect(place?.style.minHeight).toBe('240px')
  vi.advanceTimersByTime(1)
  expect(place?.style.minHeight).toBe('')
  vi.useRealTimers()

  // now the second card moves up
  topPx -= 200
  await clickApprove(0)
  expect(decide).toHaveBeenCalledOnce()
  unlockCards()
  await clickApprove(0)
  expect(decide.mock.calls.at(-1)).toEqual([{ callId: 'c2', approved: true }])
})
