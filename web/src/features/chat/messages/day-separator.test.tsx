import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Usage } from '#shared/contracts/chat.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { needsDaySeparator, DaySeparator } from './day-separator.tsx'
import { MessageList } from './message-list.tsx'

const timeZone = process.env['TZ']
afterEach(() => {
  vi.useRealTimers()
  if (timeZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = timeZone
})

const toTimestamp = (iso: string) => Date.parse(iso)
const noop = () => undefined

describe.each([
  // [time zone, earlier message, message, whether they are on different days]
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
])('%s', (zone, before, message, isNewDay) => {
  it(`${before} and ${message} are on ${isNewDay ? 'different days' : 'the same day'}`, () => {
    process.env['TZ'] = zone
    const [previous, next] = [{ timestamp: toTimestamp(before) }, { timestamp: toTimestamp(message) }]
    expect(
      needsDaySeparator(next, previous, { hasEarlier: true, today: toTimestamp('2026-12-24T12:00:00Z') }),
    ).toBe(isNewDay)
  })
})

it('the first message has a separator unless it is of today, or there are earlier messages', () => {
  process.env['TZ'] = 'UTC'
  const today = toTimestamp('2026-11-21T00:00:00Z')
  const message = (iso: string) => ({ timestamp: toTimestamp(iso) })
  expect(needsDaySeparator(message('2026-11-20T23:00:00Z'), undefined, { hasEarlier: false, today })).toBe(
    true,
  )
  expect(needsDaySeparator(message('2026-11-21T23:00:00Z'), undefined, { hasEarlier: false, today })).toBe(
    false,
  )
  expect(needsDaySeparator(message('2026-11-20T23:00:00Z'), undefined, { hasEarlier: true, today })).toBe(
    false,
  )
  expect(needsDaySeparator({ timestamp: Number.NaN }, undefined, { hasEarlier: false, today })).toBe(false)
  expect(
    needsDaySeparator(
      message('2026-11-20T23:00:00Z'),
      { timestamp: Number.NaN },
      { hasEarlier: false, today },
    ),
  ).toBe(false)
})

const weekday = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
/** A day in the locale of the test run. */
const formatDay = (iso: string, options: Intl.DateTimeFormatOptions = weekday) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(iso))

it.each([
  ['2026-11-21T23:59:00Z', 'Today'],
  ['2026-11-20T00:00:00Z', 'Yesterday'],
  ['2026-11-19T23:59:00Z', formatDay('2026-11-19')],
  ['2025-12-31T12:00:00Z', formatDay('2025-12-31', { ...weekday, year: 'numeric' })],
])('formats %s as %s', (iso, label) => {
  process.env['TZ'] = 'UTC'
  render(<DaySeparator timestamp={toTimestamp(iso)} today={toTimestamp('2026-11-21T00:00:00Z')} />)
  expect(screen.getByRole('separator', { name: label }).textContent).toBe(label)
})

const aUsage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 }

/** @param usages by the id of the reply */
function renderList(
  times: readonly string[],
  previousCursor: string | null = null,
  usages: Readonly<Record<string, Partial<Usage>>> = {},
  isTemporary = false,
) {
  const message = (iso: string, index: number) =>
    aChatMessage({
      id: iso,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `At ${iso}`,
      created_at: iso,
      ...(iso in usages && { usage: { ...aUsage, ...usages[iso] } }),
    })
  const conversation = fakeConversation({ isTemporary, messages: times.map(message), previousCursor })
  render(
    <MessageList
      conversation={conversation}
      assistantName="Ada"
      scroller={{ current: null }}
      draftKey="u/c1:tab"
      onResend={() => false}
      onOpenImage={noop}
      onSend={() => false}
      onSignIn={noop}
    />,
    { wrapper: PageProviders },
  )
  return {
    setMessages: (isos: readonly string[]) =>
      act(() => conversation.setState({ messages: isos.map(message), previousCursor: null })),
  }
}

/** The texts of separators and messages, in their order. */
const listTexts = () =>
  [...document.querySelectorAll('[role=separator], [dir=auto]')]
    .map(({ textContent }) => textContent)
    .filter((text, index, all) => text !== all[index - 1])

it('CHAT-17 DEC-174 shows separators between days, and keeps them when earlier messages load', async () => {
  process.env['TZ'] = 'UTC'
  vi.useFakeTimers({ now: toTimestamp('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  const newerTimes = ['2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z', '2026-11-21T09:00:00Z']
  const { setMessages } = renderList(newerTimes, '000002#1')
  await waitFor(() =>
    expect(listTexts()).toEqual([
      'At 2026-11-20T10:00:00Z',
      'At 2026-11-20T10:00:01Z',
      'Today',
      'At 2026-11-21T09:00:00Z',
    ]),
  )
  setMessages(['2026-11-18T10:00:00Z', '2026-11-20T09:00:00Z', ...newerTimes])
  await waitFor(() =>
    expect(listTexts()).toEqual([
      formatDay('2026-11-18'),
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

it('a conversation of today has no separator until midnight', async () => {
  process.env['TZ'] = 'Europe/Berlin'
  vi.useFakeTimers({ now: toTimestamp('2026-11-21T22:59:30Z') })
  renderList(['2026-11-21T08:00:00Z'])
  expect(screen.queryByRole('separator')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByRole('separator', { name: 'Yesterday' })).toBeTruthy()
})

it('shows a line above the first message that still fitted when the newest reply was written', () => {
  const times = [1, 2, 3, 4, 5, 6].map((minute) => `2026-11-21T09:0${minute}:00Z`)
  const [, , third, fourth, , sixth] = times as [string, string, string, string, string, string]
  vi.useFakeTimers({ now: toTimestamp('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  renderList(times, null, { [fourth]: { contextStart: times[0] ?? '' }, [sixth]: { contextStart: third } })
  expect(listTexts()).toEqual([
    'At 2026-11-21T09:01:00Z',
    'At 2026-11-21T09:02:00Z',
    'The messages above no longer fit. The assistant has at most a summary of them.',
    'At 2026-11-21T09:03:00Z',
    'At 2026-11-21T09:04:00Z',
    'At 2026-11-21T09:05:00Z',
    'At 2026-11-21T09:06:00Z',
  ])
})

it('shows no line if all messages fitted when the newest reply was written', () => {
  const times = ['2026-11-21T09:01:00Z', '2026-11-21T09:02:00Z']
  vi.useFakeTimers({ now: toTimestamp('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  renderList(times, null, { [times[1] ?? '']: {} })
  expect(screen.queryByRole('separator')).toBeNull()
})

it('DEC-178 in a temporary chat the line is as many turns before the newest reply as still fitted', () => {
  const times = [1, 2, 3, 4, 5, 6, 7].map((minute) => `2026-11-21T09:0${minute}:00Z`)
  vi.useFakeTimers({ now: toTimestamp('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  // the last message has no reply yet
  renderList(times, null, { [times[5] ?? '']: { contextTurns: 2 } }, true)
  expect(listTexts().slice(1, 4)).toEqual([
    'At 2026-11-21T09:02:00Z',
    'The messages above no longer fit. The assistant no longer sees them.',
    'At 2026-11-21T09:03:00Z',
  ])
})

it('shows all messages while it is printed, and as many as before afterwards', async () => {
  const minutes = Array.from(
    { length: 59 },
    (_, index) => `2026-11-20T10:${String(index).padStart(2, '0')}:00Z`,
  )
  renderList(minutes)
  const countMessages = () => listTexts().filter((text) => text?.startsWith('At ')).length
  await waitFor(() => expect(countMessages()).toBe(30))
  for (const type of ['beforeprint', 'beforeprint', 'afterprint']) {
    act(() => void dispatchEvent(new Event(type)))
    expect(countMessages()).toBe(type === 'beforeprint' ? 59 : 30)
  }
})
