import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Elicitation } from '#shared/contracts/elicitation.ts'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { Conversation } from '../state/conversation.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { aWaitingReply, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { removeInputs } from '../../../lib/input/inputs.ts'
import { idleReply } from '../state/pending-reply.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
let conversation: ReturnType<typeof fakeConversation>
beforeEach(() => {
  removeInputs()
  decide.mockReset()
  conversation = fakeConversation({}, { decide })
})

const fields: Extract<Elicitation, { mode: 'form' }>['fields'] = [
  { name: 'date', label: 'Date', type: 'text', format: 'date', required: true },
  { name: 'people', label: 'People', type: 'integer', min: 1, max: 12, default: 2, required: true },
  {
    name: 'seating',
    label: 'Seating',
    type: 'choice',
    required: true,
    options: [
      { value: 'in', label: 'Inside' },
      { value: 'bar', label: 'bar' },
    ],
    default: 'in',
  },
  {
    name: 'extras',
    label: 'Extras',
    type: 'choices',
    required: false,
    max: 1,
    options: [
      { value: 'cake', label: 'Cake' },
      { value: 'chair', label: 'High chair' },
    ],
  },
  { name: 'quiet', label: 'A quiet table', type: 'boolean', required: false, default: true },
  { name: 'note', label: 'Note', description: 'For the cook', type: 'text', required: false, max: 500 },
  { name: 'at', label: 'Arrival', type: 'text', format: 'date-time', required: false },
]
const aForm: Elicitation = { mode: 'form', key: 'details', message: 'When?\nHow many?', fields }
const aPage = (host: string): Elicitation => ({
  mode: 'url',
  key: 'page',
  message: 'Please confirm.',
  url: `https://${host}/confirm?code=1`,
  host,
})

async function renderCard(elicitations: Elicitation[], changes: Partial<ApprovalRequest> = {}) {
  const approval = anApprovalRequest({
    kind: 'elicitation',
    title: 'Book a table',
    integration: 'Tables',
    namespace: 'com.example',
    arguments: {},
    elicitations,
    ...changes,
  })
  render(<ApprovalCards conversation={conversation} approvals={[approval]} assistantName="Juno" />, {
    wrapper: PageProviders,
  })
  return screen.findByRole('group', { name: 'Tables · com.example asks you for something' })
}
const press = (name: string) => {
  unlockCards()
  return act(async () => fireEvent.click(screen.getByRole('button', { name })))
}
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('a form', () => {
  it('shows the defaults and a review, and sends what the review shows', async () => {
    const card = await renderCard([aForm])
    await waitFor(() => expect(document.activeElement).toBe(card))
    expect(card.textContent).toContain('Tables · com.example says:When?\nHow many?')
    expect(card.textContent).toContain('Never enter passwords, keys or card numbers here.')
    expect(screen.getByLabelText<HTMLInputElement>('People').value).toBe('2')
    expect(screen.getByLabelText<HTMLSelectElement>('Seating').value).toBe('in')
    expect(screen.getByLabelText<HTMLInputElement>('A quiet table').checked).toBe(true)
    fill('Date', '2026-12-24')
    fill(/Arrival/, '2026-12-24T18:30')
    fireEvent.click(screen.getByLabelText('Cake'))
    await press('Review')
    const review = screen.getByRole('group', { name: 'This is sent to Tables · com.example:' })
    expect(document.activeElement).toBe(review)
    const arrival = new Date('2026-12-24T18:30').toISOString()
    expect([...review.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
      '2026-12-24',
      '2',
      'Inside (in)',
      'Cake (cake)',
      'Yes',
      'Left empty',
      arrival,
    ])
    expect(decide).not.toHaveBeenCalled()
    // going back keeps the values
    await press('Back')
    expect(document.activeElement?.closest('form')).not.toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Date').value).toBe('2026-12-24')
    await press('Review')
    await press('Send')
    expect(decide.mock.calls).toEqual([
      [
        {
          callId: 'c1',
          approved: true,
          elicitation: {
            action: 'accept',
            content: {
              details: {
                date: '2026-12-24',
                people: 2,
                seating: 'in',
                extras: ['cake'],
                quiet: true,
                at: arrival,
              },
            },
          },
        },
      ],
    ])
  })

  it('is not sent by a double click on Review', async () => {
    await renderCard([aForm])
    fill('Date', '2026-12-24')
    const button = screen.getByRole('button', { name: 'Review' })
    unlockCards()
    await act(async () => fireEvent.click(button))
    await act(async () => fireEvent.click(button))
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send' })))
    expect(decide).not.toHaveBeenCalled()
    await press('Send')
    expect(decide).toHaveBeenCalledOnce()
  })

  it('keeps the entered values while another page is shown, until they are sent', async () => {
    const asked_at = new Date().toISOString()
    const findNote = () => screen.findByLabelText<HTMLInputElement>(/Note/)
    await renderCard([aForm], { asked_at })
    fill('Date', '2026-12-24')
    fireEvent.change(await findNote(), { target: { value: 'By the window' } })
    cleanup()
    await renderCard([aForm], { asked_at })
    expect((await findNote()).value).toBe('By the window')
    cleanup()
    await renderCard([aForm], { asked_at: new Date(Date.now() - 60_000).toISOString() })
    expect(screen.queryByDisplayValue('By the window')).toBeNull()
    cleanup()
    await renderCard([aForm], { asked_at })
    await press('Review')
    await press('Send')
    conversation.setState({ pending: idleReply })
    cleanup()
    await renderCard([aForm], { asked_at })
    expect((await findNote()).value).toBe('')
  })

  it('keeps its review while another page is shown, and locks Send again', async () => {
    const asked_at = new Date().toISOString()
    await renderCard([aForm], { asked_at })
    fill('Date', '2026-12-24')
    await press('Review')
    cleanup()
    await renderCard([aForm], { asked_at })
    screen.getByRole('group', { name: 'This is sent to Tables · com.example:' })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send' })))
    expect(decide).not.toHaveBeenCalled()
    await press('Back')
    expect(screen.getByLabelText<HTMLInputElement>('Date').value).toBe('2026-12-24')
  })

  it('shows each field’s error and focuses the first one', async () => {
    const card = await renderCard([aForm])
    fill('People', '13')
    fill('Seating', '')
    fireEvent.click(screen.getByLabelText('Cake'))
    fireEvent.click(screen.getByLabelText('High chair'))
    await press('Review')
    const getDescription = (element: HTMLElement) =>
      document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent
    const date = screen.getByLabelText('Date')
    expect(document.activeElement).toBe(date)
    expect(getDescription(date)).toBe('Fill in this field.')
    expect(getDescription(screen.getByLabelText('People'))).toBe('Enter 1 to 12.')
    expect(getDescription(screen.getByLabelText('Seating'))).toBe('Fill in this field.')
    expect(getDescription(within(card).getByRole('group', { name: /Extras/ }))).toBe('Choose at most 1.')
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    expect(getDescription(screen.getByLabelText(/Note/))).toBe('For the cook')
    // an error disappears when its field is valid, and the others stay
    fill('Date', '2026-12-24')
    expect(date.getAttribute('aria-invalid')).toBeNull()
    expect(getDescription(screen.getByLabelText('Seating'))).toBe('Fill in this field.')
  })

  it('shows no error at a field whose name every object inherits', async () => {
    await renderCard([
      {
        ...aForm,
        fields: [
          { name: 'date', label: 'Date', type: 'text', required: true },
          { name: 'constructor', label: 'Builder', type: 'text', required: true },
        ],
      },
    ])
    const builder = screen.getByLabelText('Builder')
    expect(builder.getAttribute('aria-invalid')).toBeNull()
    fill('Builder', 'Ann')
    await press('Review')
    expect(screen.getByLabelText('Date').getAttribute('aria-invalid')).toBe('true')
    // a new error waits for the next review
    fill('Builder', '')
    expect(builder.getAttribute('aria-invalid')).toBeNull()
  })

  it.each(['Decline', 'Cancel'])('sends %s without values', async (name) => {
    await renderCard([aForm])
    fill('Date', '2026-12-24')
    await press(name)
    expect(decide.mock.calls).toEqual([
      [{ callId: 'c1', approved: false, elicitation: { action: name.toLowerCase() } }],
    ])
  })

  it('says why it could not be sent, and keeps the entered values', async () => {
    decide.mockImplementation(() => {
      const failedDecision = {
        callId: 'c1',
        failure: { kind: 'service', message: 'You are offline.' },
      } as const
      conversation.setState({ pending: aWaitingReply([anApprovalRequest()], { failedDecision }) })
    })
    await renderCard([aForm])
    fill('Date', '2026-12-24')
    await press('Review')
    await press('Send')
    await screen.findByText('You are offline.')
    expect(screen.getByText('2026-12-24')).toBeTruthy()
    await press('Send')
    expect(decide).toHaveBeenCalledTimes(2)
  })

  it('stays open for 30 days, then expires', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await renderCard([aForm], { asked_at: daysAgo(29) })
    document.body.replaceChildren()
    render(
      <ApprovalCards
        conversation={conversation}
        approvals={[anApprovalRequest({ kind: 'elicitation', elicitations: [aForm], asked_at: daysAgo(31) })]}
        assistantName="Juno"
      />,
      { wrapper: PageProviders },
    )
    expect(screen.getByText(/Nobody answered within 30 days/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull()
  })
})

describe('a web page', () => {
  it('is opened only by the user, and is done when they say so', async () => {
    await renderCard([aPage('pay.example.com')])
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open pay.example.com' })
    expect(link.href).toBe('https://pay.example.com/confirm?code=1')
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
    expect(screen.getByText('https://pay.example.com/confirm?code=1')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await press('I have done it')
    expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true, elicitation: { action: 'accept' } }]])
  })

  it('shows a warning if its host name is in another alphabet', async () => {
    await renderCard([aPage('www.xn--pypal-4ve.example')])
    expect(screen.getByRole('alert').textContent).toMatch(/another alphabet/)
  })
})

const ignore = (): void => undefined

describe('what was entered, after a reload', () => {
  const reload = (isTemporary = false) => {
    cleanup()
    conversation = fakeConversation({ isTemporary }, { decide })
  }
  const asked = { asked_at: new Date().toISOString() }
  const getNote = () => screen.getByLabelText<HTMLTextAreaElement | HTMLInputElement>(/^Note/).value

  it('is still there, until the request is decided', async () => {
    await renderCard([aForm], asked)
    fill(/^Note/, 'No onions')
    fill(/^Date/, '2026-12-24')
    fireEvent.click(screen.getByLabelText('A quiet table'))
    reload()
    await renderCard([aForm], asked)
    expect(getNote()).toBe('No onions')
    expect(screen.getByLabelText<HTMLInputElement>('A quiet table').checked).toBe(false)
    await press('Decline')
    // the server has it
    conversation.setState({ pending: idleReply })
    reload()
    await renderCard([aForm], asked)
    expect(getNote()).toBe('')
  })

  it.each([
    ['a request that was made later', { asked_at: '2099-01-01T00:00:00.000Z' }, false, ignore],
    ['a temporary chat', {}, true, ignore],
    ['another user', {}, false, () => removeInputs('somebody else')],
    [
      'a form with other fields',
      {
        elicitations: [
          {
            ...aForm,
            fields: fields.map((field) => (field.name === 'note' ? { ...field, name: 'n' } : field)),
          },
        ],
      },
      false,
      ignore,
    ],
  ])('is not shown in %s', async (_, changes, isTemporary, change) => {
    removeInputs('somebody')
    if (isTemporary) reload(true)
    await renderCard([aForm], asked)
    fill(/^Note/, 'No onions')
    change()
    reload()
    await renderCard([aForm], { ...asked, ...changes })
    expect(getNote()).toBe('')
  })
})

it('a field with several lines stays while its user joins them', async () => {
  const note = { name: 'note', label: 'Note', type: 'text', required: true, default: 'One\nTwo' } as const
  await renderCard([{ ...aForm, mode: 'form', fields: [note] }])
  const field = screen.getByLabelText('Note')
  fireEvent.change(field, { target: { value: 'One Two' } })
  expect(field.isConnected).toBe(true)
})
