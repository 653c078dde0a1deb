import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Usage } from '#shared/contracts/chat.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { isFirstOfDay, DaySeparator } from './day-separator.tsx'
import { MessageList } from './message-list.tsx'

const timeZone = process.env['TZ']
afterEach(() => {
  vi.useRealTimers()
  if (timeZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = timeZone
})

const at = (iso: string) => Date.parse(iso)
const nothing = () => undefined

describe.each([
  // [zone, message before, message, whether a day begins between them]
  ['UTC', '2026-11-20T23:59:59Z', '2026-11-21T00:00:00Z', true],
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-20T23:59:59Z', false],
  ['Pacific/Auckland', '2026-11-20T10:59:59Z', '2026-11-20T11:00:00Z', true],
  ['Pacific/Auckland', '2026-11-20T23:59:59Z', '2026-11-21T00:00:00Z', false],
  ['America/Los_Angeles', '2026-11-20T23:59:59Z', '2026-11-21T00:00:00Z', false],
  // 25 hours: the clocks went back
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', false],
  ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z', true],
  // 23 hours: the clocks went forward
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', false],
  ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z', true],
  // no midnight: the day began at 1 o'clock
  ['America/Santiago', '2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z', true],
  // the same day of another month
  ['UTC', '2026-10-21T12:00:00Z', '2026-11-21T12:00:00Z', true],
])('%s', (zone, before, message, begins) => {
  it(`${before} and ${message} ${begins ? 'lie in two days' : 'lie in one day'}`, () => {
    process.env['TZ'] = zone
    const [one, other] = [{ timestamp: at(before) }, { timestamp: at(message) }]
    expect(isFirstOfDay(other, one, true, at('2026-12-24T12:00:00Z'))).toBe(begins)
  })
})

it('the first message names its day unless that is today, or there are earlier ones', () => {
  process.env['TZ'] = 'UTC'
  const today = at('2026-11-21T00:00:00Z')
  const message = (iso: string) => ({ timestamp: at(iso) })
  expect(isFirstOfDay(message('2026-11-20T23:00:00Z'), undefined, false, today)).toBe(true)
  expect(isFirstOfDay(message('2026-11-21T23:00:00Z'), undefined, false, today)).toBe(false)
  expect(isFirstOfDay(message('2026-11-20T23:00:00Z'), undefined, true, today)).toBe(false)
  expect(isFirstOfDay({ timestamp: Number.NaN }, undefined, false, today)).toBe(false)
  expect(isFirstOfDay(message('2026-11-20T23:00:00Z'), { timestamp: Number.NaN }, false, today)).toBe(false)
})

const weekday = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
/** As whoever runs this writes days. */
const localDate = (iso: string, options: Intl.DateTimeFormatOptions = weekday) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(iso))

it.each([
  ['2026-11-21T23:59:00Z', 'Today'],
  ['2026-11-20T00:00:00Z', 'Yesterday'],
  ['2026-11-19T23:59:00Z', localDate('2026-11-19')],
  ['2025-12-31T12:00:00Z', localDate('2025-12-31', { ...weekday, year: 'numeric' })],
])('%s is written as %s', (iso, label) => {
  process.env['TZ'] = 'UTC'
  render(<DaySeparator timestamp={at(iso)} today={at('2026-11-21T00:00:00Z')} />)
  expect(screen.getByRole('separator', { name: label }).textContent).toBe(label)
})

const aUsage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 }

/** @param boundaries where the prompts of replies began, by the ids of these */
function showList(
  times: readonly string[],
  earlier: string | null = null,
  boundaries: Readonly<Record<string, Partial<Usage>>> = {},
  isSaved = true,
) {
  const message = (iso: string, index: number) =>
    aChatMessage({
      id: iso,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `At ${iso}`,
      created_at: iso,
      ...(iso in boundaries && { usage: { ...aUsage, ...boundaries[iso] } }),
    })
  const conversation = fakeConversation({ isSaved, messages: times.map(message), previousCursor: earlier })
  render(
    <MessageList
      conversation={conversation}
      assistantName="Ada"
      scroller={{ current: null }}
      editingId={undefined}
      onEdit={nothing}
      onResend={() => false}
      onOpenImage={nothing}
      onSend={() => false}
      onSignIn={nothing}
    />,
    { wrapper: PageProviders },
  )
  return {
    show: (isos: readonly string[]) =>
      act(() => conversation.setState({ messages: isos.map(message), previousCursor: null })),
  }
}

/** Days and messages in their order. */
const lines = () =>
  [...document.querySelectorAll('[role=separator], [dir=auto]')]
    .map(({ textContent }) => textContent)
    .filter((text, index, all) => text !== all[index - 1])

it('CHAT-17 DEC-174 days stand between messages, and stay where they are when earlier messages come', async () => {
  process.env['TZ'] = 'UTC'
  vi.useFakeTimers({ now: at('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  const newer = ['2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z', '2026-11-21T09:00:00Z']
  const { show } = showList(newer, '000002#1')
  await waitFor(() =>
    expect(lines()).toEqual([
      'At 2026-11-20T10:00:00Z',
      'At 2026-11-20T10:00:01Z',
      'Today',
      'At 2026-11-21T09:00:00Z',
    ]),
  )
  show(['2026-11-18T10:00:00Z', '2026-11-20T09:00:00Z', ...newer])
  await waitFor(() =>
    expect(lines()).toEqual([
      localDate('2026-11-18'),
      'At 2026-11-18T10:00:00Z',
      'Yesterday',
      'At 2026-11-20T09:00:00Z',
      'At 2026-11-20T10:00:00Z',
      'At 2026-11-20T10:00:01Z',
      'Today',
      'At 2026-11-21T09:00:00Z',
    ]),
  )
})

it('a conversation of today names no day, until midnight', async () => {
  process.env['TZ'] = 'Europe/Berlin'
  vi.useFakeTimers({ now: at('2026-11-21T22:59:30Z') })
  showList(['2026-11-21T08:00:00Z'])
  expect(screen.queryByRole('separator')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByRole('separator', { name: 'Yesterday' })).toBeTruthy()
})

it('a line says from which message on the assistant has the words, as the newest reply knows', () => {
  const times = [1, 2, 3, 4, 5, 6].map((minute) => `2026-11-21T09:0${minute}:00Z`)
  const [, , third, fourth, , sixth] = times as [string, string, string, string, string, string]
  vi.useFakeTimers({ now: at('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  showList(times, null, { [fourth]: { contextStart: times[0] ?? '' }, [sixth]: { contextStart: third } })
  expect(lines()).toEqual([
    'At 2026-11-21T09:01:00Z',
    'At 2026-11-21T09:02:00Z',
    'The messages above no longer fit. The assistant works from a summary of them.',
    'At 2026-11-21T09:03:00Z',
    'At 2026-11-21T09:04:00Z',
    'At 2026-11-21T09:05:00Z',
    'At 2026-11-21T09:06:00Z',
  ])
})

it('no line stands where the newest reply was written from all messages', () => {
  const times = ['2026-11-21T09:01:00Z', '2026-11-21T09:02:00Z']
  vi.useFakeTimers({ now: at('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  showList(times, null, { [times[1] ?? '']: {} })
  expect(screen.queryByRole('separator')).toBeNull()
})

it('DEC-178 in a temporary chat the line stands so many turns before the newest reply', () => {
  const times = [1, 2, 3, 4, 5, 6, 7].map((minute) => `2026-11-21T09:0${minute}:00Z`)
  vi.useFakeTimers({ now: at('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  // the next message is on its way
  showList(times, null, { [times[5] ?? '']: { contextTurns: 2 } }, false)
  expect(lines().slice(1, 4)).toEqual([
    'At 2026-11-21T09:02:00Z',
    'The messages above no longer fit. The assistant no longer sees them.',
    'At 2026-11-21T09:03:00Z',
  ])
})
