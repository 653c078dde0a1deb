import { notifyManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Routes } from '../../lib/navigation/router.tsx'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { pauseReasons, type Schedule } from '#shared/contracts/schedules.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { conversationListKey } from '../../lib/conversations/conversation-list.ts'
import { schedulesQuery } from '../../lib/queries/schedule-queries.ts'
import { siteState } from '../../lib/sign-in/site-state.ts'
import { waitingQuery } from '../../lib/queries/waiting-queries.ts'
import { describePause, getScheduleTitle } from './describe-state.ts'
import { RunState } from './run-state.tsx'
import { SchedulePage } from './schedule-page.tsx'
import { SchedulesPage } from './schedules-page.tsx'

vi.mock('../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<() => void>(),
}))

const aSchedule = (fields: Partial<Schedule> = {}): Schedule => ({
  id: 's1',
  prompt: 'Read my mail',
  rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
  time_zone: 'Europe/Vienna',
  writes: 'ask',
  notify: ['push'],
  version: 3,
  paused: false,
  created_at: '2026-11-01T00:00:00.000Z',
  session_id: 'c1',
  next_at: '2026-11-30T07:00:00.000Z',
  next_times: ['2026-11-30T07:00:00.000Z'],
  ...fields,
})
const paused = (because: string, fields: Partial<Schedule> = {}) => {
  const { next_at: _next, ...rest } = aSchedule(fields)
  return { ...rest, next_times: [], paused: true, paused_because: because }
}

const noTools = { data: [], error: null, refetch: async () => undefined }
const gmail = {
  id: 'gmail',
  name: 'Gmail',
  provider: 'Google',
  status: 'connected' as const,
  health_status: 'healthy' as const,
  lastUsed: null,
  usage_count: 0,
  problem: null,
  capabilities: [
    { id: 'get_emails', tool: 'gmail_get_emails', name: 'Read e-mails', writes: false },
    { id: 'send_email', tool: 'gmail_send_email', name: 'Send an e-mail', writes: true },
  ].map((tool) => ({ ...tool, description: '', parameters: {}, examples: [] })),
}

/** Opens a page with a service that has these schedules. */
function open(
  path: string,
  schedules: Schedule[] = [],
  handlers: RouteHandlers = {},
  tools = noTools as object,
) {
  const api = fakeApi({
    'schedules.list': () => ({ schedules }),
    'projects.list': () => ({ projects: [] }),
    'assistants.list': () => ({ assistants: [], publishing: { allowed: false, groups: [] } }),
    ...handlers,
  })
  const id = path.split('/')[2]
  const view = renderPage(
    <Routes
      pages={{
        '/scheduled': <SchedulesPage />,
        '/scheduled/*': (
          <SchedulePage scheduleId={id === 'new' ? undefined : id} tools={tools as typeof noTools} />
        ),
      }}
    />,
    path,
  )
  return { api, ...view }
}
const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
async function chooseItem(name: string) {
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More for Read my mail' }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name }))
}
const nextTimes = async () =>
  within(await screen.findByRole('list', { name: 'Next times' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '))

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Vienna')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') })
  vi.mocked(showToast).mockReset()
})
afterEach(() => {
  vi.useRealTimers()
  removeInputs()
})

it('a list that cannot be loaded says why, and is loaded again', async () => {
  let isDown = true
  open('/scheduled', [], {
    'schedules.list': () => {
      if (isDown) throw new NetworkError()
      return { schedules: [aSchedule()] }
    },
  })
  await screen.findByText(/Your schedules could not be loaded\. The service could not be reached/)
  isDown = false
  await press('Try again')
  expect(await screen.findByRole('link', { name: 'Read my mail' })).toBeTruthy()
})

it.each(pauseReasons.filter((reason) => reason !== 'administrator'))(
  'a schedule that is paused because of %s says so, and can be resumed where it stands',
  async (reason) => {
    const schedules: Schedule[] = [paused(reason)]
    const { api } = open('/scheduled', schedules, {
      'schedules.update': () => {
        schedules[0] = aSchedule({ version: 4 })
        return { success: true, schedule: schedules[0] }
      },
    })
    await screen.findByText(describePause(reason))
    const isOn = screen.getByRole('switch', { name: 'Read my mail: on or paused' })
    expect(isOn.getAttribute('aria-checked')).toBe('false')
    await act(async () => fireEvent.click(isOn))
    await waitFor(() => expect(isOn.getAttribute('aria-checked')).toBe('true'))
    // who resumes it allows what they have seen
    expect(api.requestsTo('schedules.update')).toMatchObject([{ body: { paused: false, version: 3 } }])
  },
)

it('a reason of a later release has a general sentence; no two reasons have the same', async () => {
  open('/scheduled', [paused('sabbatical')])
  await screen.findByText('Paused. Resume it when it should go on.')
  expect(new Set(pauseReasons.map(describePause)).size).toBe(pauseReasons.length)
  expect(describePause('toString')).toBe('Paused. Resume it when it should go on.')
})

it('all times are those of the zone of the schedule', async () => {
  const schedule = aSchedule({
    time_zone: 'America/New_York',
    next_at: '2026-11-30T13:00:00.000Z',
    last_run: { at: '2026-11-23T13:00:00.000Z', status: 'failed' },
  })
  const { container } = open('/scheduled', [schedule])
  await screen.findByText(/^Every Monday at 8:00/)
  const text = container.textContent.replaceAll(/\s/g, ' ')
  expect(text).toContain('(America/New York)')
  expect(text).toContain('Next: Mon, Nov 30, 8:00 AM')
  expect(text).toContain('Last run failed, Mon, Nov 23, 8:00 AM')
  expect(screen.getByRole('link', { name: 'Open its chat' }).getAttribute('href')).toBe('/?c=c1')
})

it.each([
  ['skipped', 'missed', 'It could not begin within twelve hours of its time.'],
  ['failed', 'lapsed', 'Its wait for your answer ended after 72 hours.'],
  ['failed', 'budget.day_tokens', 'The budget for replies was used up.'],
  ['failed', 'budget.none', 'Your account may not use the assistant. Please ask your administrator.'],
  [
    'failed',
    'budget.schedule',
    'This run has used up what one run of a schedule may use. Ask for less at a time, or go on in the conversation.',
  ],
  // as releases before stored it
  ['failed', 'budget', 'The budget for replies was used up.'],
] as const)('a run that was %s because of %s says so', async (status, because, sentence) => {
  open('/scheduled', [aSchedule({ last_run: { at: '2026-11-23T13:00:00.000Z', status, because } })])
  const state = await screen.findByText(new RegExp(`Last run ${status}`))
  expect(state.textContent).toContain(`. ${sentence}`)
})

it('why it is paused is told once, and another reason of its last run beside it', async () => {
  const last_run = {
    at: '2026-11-23T13:00:00.000Z',
    status: 'skipped' as const,
    because: 'assistant_withdrawn',
  }
  open('/scheduled', [paused('assistant_withdrawn', { last_run }), paused('user', { id: 's2', last_run })])
  const states = await screen.findAllByText(/Last run skipped/)
  expect(states.map(({ textContent }) => textContent?.includes('. Its assistant was not'))).toEqual([
    false,
    true,
  ])
  expect(screen.getAllByText(/^Paused because its assistant is not available/)).toHaveLength(1)
})

it('an editor says that with another assistant the next run begins a new chat', async () => {
  const assistant = {
    id: 'a1',
    name: 'Wholesale',
    description: '',
    starters: [],
    version: 1,
    published_at: '2026-11-01T00:00:00.000Z',
    mine: false,
    publisher: { name: 'Pia' },
    tools: [],
  }
  const schedule = aSchedule({ last_run: { at: '2026-11-23T13:00:00.000Z', status: 'done' } })
  open('/scheduled/s1', [schedule], {
    'assistants.list': () => ({
      assistants: [assistant],
      publishing: { allowed: false, groups: [] },
    }),
  })
  const field = await screen.findByLabelText('Project or assistant')
  expect(screen.queryByText('The next run begins a new chat.')).toBeNull()
  fireEvent.change(field, { target: { value: 'assistant:a1' } })
  await screen.findByText('The next run begins a new chat.')
  expect(screen.getByRole('link', { name: 'Open its chat' })).toBeTruthy()
})

it('a chat that no run has begun yet is not offered', async () => {
  open('/scheduled', [
    aSchedule({ last_run: { at: '2026-11-23T13:00:00.000Z', status: 'done' }, has_conversation: false }),
  ])
  await screen.findByText(/Last run done/)
  expect(screen.queryByRole('link', { name: 'Open its chat' })).toBeNull()
})

it('a run whose reason is of a later release tells only how it went', async () => {
  open('/scheduled', [
    aSchedule({ last_run: { at: '2026-11-23T13:00:00.000Z', status: 'failed', because: 'toString' } }),
  ])
  expect((await screen.findByText(/Last run failed/)).textContent).not.toContain('. ')
})

it('a run whose status is of a later release tells only when it was', () => {
  const last_run = { at: '2026-11-29T07:00:00.000Z', status: 'postponed' as never }
  renderPage(<RunState schedule={aSchedule({ last_run, has_conversation: true })} />)
  const link = screen.getByRole('link', { name: 'Open its chat' })
  expect(link.parentElement?.textContent).toMatch(/^Sun, Nov 29.* · Open its chat$/)
})

it('a run that begins is told to screen readers', async () => {
  const schedules = [aSchedule()]
  open('/scheduled', schedules, {
    'schedules.run': () => {
      const schedule = aSchedule({ running_since: '2026-11-30T07:00:00.000Z' })
      schedules.splice(0, 1, schedule)
      return { success: true, schedule }
    },
  })
  await screen.findByText('Read my mail')
  const status = within(screen.getByRole('listitem')).getByRole('status')
  expect(status.textContent).toBe('')
  await chooseItem('Run now')
  await waitFor(() => expect(status.textContent).toMatch(/^Running since/))
})

it('when a run has begun or ended, its chat is looked for in the list, and what waits is asked again', async () => {
  const schedules = [aSchedule()]
  const { client } = open('/scheduled', schedules)
  await screen.findByText('Read my mail')
  const keys = [conversationListKey('active'), waitingQuery.queryKey]
  const expectOutdated = async (isOutdated: boolean, change?: Partial<Schedule>) => {
    client.setQueryData(conversationListKey('active'), { sessions: [], total: 0 })
    client.setQueryData(waitingQuery.queryKey, { waiting: [], total: 0, is_scheduled: true })
    if (change) schedules[0] = aSchedule(change)
    await act(async () => {
      await client.refetchQueries({ queryKey: schedulesQuery.queryKey })
      // the page is told after the refetch has ended
      await new Promise<void>((resolve) => notifyManager.schedule(resolve))
    })
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([isOutdated, isOutdated])
  }
  await expectOutdated(false)
  await expectOutdated(true, { running_since: '2026-11-30T07:00:00.000Z' })
  await expectOutdated(false)
  const last_run = { at: '2026-11-30T07:00:00.000Z', status: 'waiting' } as const
  await expectOutdated(true, { last_run })
  await expectOutdated(true, { last_run: { ...last_run, status: 'done' } })
  // what it says is no run
  await expectOutdated(false, { last_run: { ...last_run, status: 'done' }, prompt: 'Read all of my mail' })
})

it.each([
  ['CR LF', 'Mail\r\nand more', 'Mail'],
  ['blanks', '\n Mail', 'Mail'],
  ['length', 'x'.repeat(8_000), `${'x'.repeat(197)}...`],
])('the title of a schedule is the first line of its prompt: %s', (_, prompt, title) => {
  expect(getScheduleTitle({ prompt })).toBe(title)
})

it('the menu of a paused schedule without a chat begins with what can be done', async () => {
  open('/scheduled/s1', [paused('user')])
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More for Read my mail' }), { key: 'Enter' })
  await screen.findByRole('menuitem', { name: 'Delete' })
  expect(screen.queryByRole('separator')).toBeNull()
})

it('one that was changed elsewhere is not resumed unseen', async () => {
  const schedules = [paused('user')]
  open('/scheduled', schedules, {
    'schedules.update': () => {
      schedules[0] = paused('user', { prompt: 'Wipe my mail', version: 4 })
      throw new ApiError({ status: 409, code: 'changed_elsewhere', userMessage: 'It was changed elsewhere.' })
    },
  })
  fireEvent.click(await screen.findByRole('switch'))
  await screen.findByRole('link', { name: 'Wipe my mail' })
  expect(showToast).toHaveBeenCalledWith('error', 'The schedule was not resumed', {
    error: expect.objectContaining({ userMessage: 'It was changed elsewhere.' }) as unknown,
  })
})

it('a run whose model was busy says when it is tried again', async () => {
  open('/scheduled', [
    paused('user', { running_since: '2026-11-28T12:00:00.000Z', retry_at: '2026-11-28T12:04:00.000Z' }),
  ])
  await screen.findByText(/^Its model did not reply\. Next attempt: /)
  expect(screen.queryByText(/Running since/)).toBeNull()
})

it('one for a single time is not over while its run is tried again', async () => {
  const once = { kind: 'once', at: '2026-11-28T12:00:00.000Z' } as const
  const running = { running_since: '2026-11-28T12:00:00.000Z', retry_at: '2026-11-28T12:04:00.000Z' }
  const { next_at: _, ...schedule } = aSchedule({ rule: once, ...running })
  open('/scheduled', [schedule])
  await screen.findByText(/^Its model did not reply\. Next attempt: /)
  expect(screen.queryByText('Its time is over.')).toBeNull()
})

it('the state of a run is set apart from the link to its chat', async () => {
  open('/scheduled', [
    aSchedule({ id: 's1', running_since: '2026-11-28T12:00:00.000Z', has_conversation: true }),
    aSchedule({ id: 's2', last_run: { at: '2026-11-28T12:00:00.000Z', status: 'failed' } }),
    aSchedule({
      id: 's3',
      last_run: { at: '2026-11-28T12:00:00.000Z', status: 'skipped', because: 'missed' },
    }),
  ])
  const links = await screen.findAllByRole('link', { name: 'Open its chat' })
  const texts = links.map((link) => link.parentElement?.textContent ?? '')
  expect(texts.map((text) => text.slice(text.indexOf('Open') - 2, text.indexOf('Open')))).toEqual([
    '· ',
    '· ',
    '. ',
  ])
})

it('a paused one runs by hand, and one whose run is under way does not', async () => {
  const schedules = [paused('user')]
  const { api } = open('/scheduled', schedules, {
    'schedules.run': () => {
      schedules[0] = paused('user', { running_since: '2026-11-28T12:00:00.000Z' })
      return { success: true, schedule: schedules[0] }
    },
  })
  await chooseItem('Run now')
  await screen.findByText(/Running since/)
  expect(api.requestsTo('schedules.run')).toHaveLength(1)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for Read my mail' }), { key: 'Enter' })
  expect((await screen.findByRole('menuitem', { name: 'Run now' })).getAttribute('aria-disabled')).toBe(
    'true',
  )
})

it('the focus of a deleted schedule goes to its neighbour', async () => {
  open('/scheduled', [aSchedule(), aSchedule({ id: 's2', prompt: 'Plan my day' })], {
    'schedules.delete': () => ({ success: true }),
  })
  await chooseItem('Delete')
  await waitFor(() => expect(screen.queryByText('Read my mail')).toBeNull())
  await waitFor(() => expect(document.activeElement?.ariaLabel).toBe('More for Plan my day'))
})

it('a deletion begins when its message closes, and can be undone until then', async () => {
  const { api } = open('/scheduled', [aSchedule()], { 'schedules.delete': () => ({ success: true }) })
  await chooseItem('Delete')
  await screen.findByText('Two to begin with')
  const options = () => vi.mocked(showToast).mock.lastCall?.[2]
  act(() => options()?.action?.onClick())
  await screen.findByRole('link', { name: 'Read my mail' })
  expect(api.requestsTo('schedules.delete')).toEqual([])
  await chooseItem('Delete')
  await act(async () => options()?.onClose?.())
  await waitFor(() => expect(api.requestsTo('schedules.delete')).toHaveLength(1))
})

it.each([
  ['that has not run yet', {}, ''],
  ['with a chat', { has_conversation: true }, ' Its chat stays.'],
  ['whose chat was deleted', { paused_because: 'conversation_deleted', has_conversation: true }, ''],
])('the message of a deletion says of a schedule %s only what stays', async (_, fields, stays) => {
  open('/scheduled', [aSchedule(fields)], { 'schedules.delete': () => ({ success: true }) })
  await chooseItem('Delete')
  await waitFor(() =>
    expect(showToast).toHaveBeenLastCalledWith(
      'info',
      'Schedule removed',
      expect.objectContaining({
        description: `“Read my mail” will be deleted when this message closes.${stays}`,
      }),
    ),
  )
})

it('one that is changed in another tab before its message closes is not deleted unseen, and is shown as it is', async () => {
  const schedules = [aSchedule()]
  const { api, client } = open('/scheduled', schedules, {
    'schedules.delete': () => {
      throw new ApiError({ status: 409, code: 'changed_elsewhere', userMessage: 'It was changed elsewhere.' })
    },
  })
  await chooseItem('Delete')
  await screen.findByText('Two to begin with')
  const options = vi.mocked(showToast).mock.lastCall?.[2]
  schedules[0] = aSchedule({ prompt: 'Wipe my mail', version: 4 })
  // the list is read again while the message is open
  await act(() => client.invalidateQueries())
  await act(async () => options?.onClose?.())
  await screen.findByRole('link', { name: 'Wipe my mail' })
  expect(new Set(api.requestsTo('schedules.delete').map(({ query }) => Number(query?.version)))).toEqual(
    new Set([3]),
  )
  expect(showToast).toHaveBeenLastCalledWith('error', 'The schedule was not deleted', {
    error: expect.objectContaining({ userMessage: 'It was changed elsewhere.' }) as unknown,
  })
})

it('as many as the groups allow are told, and more are not offered', async () => {
  const { client } = open('/scheduled', [aSchedule()])
  const account = { limits: { max_schedules: 1 } }
  act(() => void client.setQueryData(accountQuery.queryKey, account as never))
  await screen.findByText('You may have 1 schedule. Delete it to make another one.')
  expect(screen.getByText('1 of 1')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'New schedule' })).toBeNull()
})

it('without the right schedules can be paused and deleted', async () => {
  const { client } = open('/scheduled', [aSchedule(), paused('user', { id: 's2', prompt: 'Other' })])
  act(() => void client.setQueryData(accountQuery.queryKey, { limits: { schedules: false } } as never))
  await screen.findByText(/Your group may not use schedules/)
  expect(screen.queryByRole('link', { name: 'New schedule' })).toBeNull()
  const switches = screen.getAllByRole<HTMLButtonElement>('switch')
  expect(switches.map(({ disabled }) => disabled)).toEqual([false, true])
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for Read my mail' }), { key: 'Enter' })
  await screen.findByRole('menuitem', { name: 'Delete' })
  expect(screen.queryByRole('menuitem', { name: 'Run now' })).toBeNull()
})

it('an example fills a new schedule, and asks first if one that is not saved would be lost', async () => {
  const prompt = () => screen.getByLabelText<HTMLTextAreaElement>('What should Juno do?').value
  const use = /^Use: Prepare me for the day/
  open('/scheduled')
  await screen.findByText('Two to begin with')
  await press(use)
  expect(prompt()).toMatch(/^List my appointments/)
  type('What should Juno do?', 'My own words')
  cleanup()
  open('/scheduled')
  await screen.findByText('Two to begin with')
  await press(use)
  const dialog = await screen.findByRole('dialog', { name: 'Replace the new schedule?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('link', { name: 'New schedule' }))
  expect(prompt()).toBe('My own words')
  cleanup()
  open('/scheduled')
  await screen.findByText('Two to begin with')
  await press(use)
  await press('Replace')
  expect(prompt()).toMatch(/^List my appointments/)
})

it('pressing twice makes one schedule, and pressing again after a lost response, too', async () => {
  const lost = Promise.withResolvers<void>()
  const { api } = open('/scheduled/new', [], {
    'schedules.create': async ({ body }) => {
      if (api.requestsTo('schedules.create').length === 1) await lost.promise
      return {
        success: true,
        schedule: aSchedule({ id: body.id ?? '', prompt: 'Read my mail', time_zone: 'Europe/Vienna' }),
      }
    },
  })
  type('What should Juno do?', 'Read my mail')
  await press('Save schedule')
  await press('Save schedule')
  expect(api.requestsTo('schedules.create')).toHaveLength(1)
  await act(async () => lost.reject(new TypeError('lost')))
  await screen.findByText(/^The service did not confirm it/)
  await press('Save schedule')
  await screen.findByRole('heading', { name: 'Scheduled' })
  const ids = api.requestsTo('schedules.create').map(({ body }) => body?.id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

it('what is missing is said at its field, which gets the focus', async () => {
  const { api } = open('/scheduled/new')
  await press('Save schedule')
  await screen.findByText('Please say what to do.')
  expect(document.activeElement).toBe(screen.getByLabelText('What should Juno do?'))
  type('What should Juno do?', 'Read my mail')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Monday' }))
  await press('Save schedule')
  await screen.findByText('Please choose a day.')
  expect(api.requestsTo('schedules.create')).toEqual([])
})

it('a time that is over is refused before anything is sent', async () => {
  const { api } = open('/scheduled/new')
  type('What should Juno do?', 'Read my mail')
  type('Repeats', 'once')
  // tomorrow at eight is offered
  expect(await nextTimes()).toEqual(['Sun, Nov 29, 8:00 AM'])
  type('Day', '2026-11-28')
  type('Time', '08:00')
  await press('Save schedule')
  await screen.findByText('This time is over. Please choose a later one.')
  expect(api.requestsTo('schedules.create')).toEqual([])
})

it('the last day of a month is a choice, and next times keep the hour over a change of the clock', async () => {
  vi.setSystemTime('2027-02-01T12:00:00Z')
  open('/scheduled/new')
  type('Repeats', 'monthly')
  type('Day of the month', 'last')
  await screen.findByText(/^On the last day of each month at 8:00/)
  expect(await nextTimes()).toEqual(['Sun, Feb 28, 8:00 AM', 'Wed, Mar 31, 8:00 AM', 'Fri, Apr 30, 8:00 AM'])
})

it('an edited schedule that is paused stays paused, and only what was changed is sent', async () => {
  const { api } = open('/scheduled/s1', [paused('failures')], {
    'schedules.update': () => ({ success: true, schedule: paused('failures', { prompt: 'Read my post' }) }),
  })
  await screen.findByText(describePause('failures'))
  type('What should Juno do?', 'Read my post')
  await press('Save schedule')
  await screen.findByRole('heading', { name: 'Scheduled' })
  expect(api.requestsTo('schedules.update')).toMatchObject([{ body: { prompt: 'Read my post', version: 3 } }])
  expect(Object.keys(api.requestsTo('schedules.update')[0]?.body ?? {}).sort()).toEqual(['prompt', 'version'])
})

it('what was changed elsewhere while it was edited is said, and can be used', async () => {
  const schedules = [aSchedule()]
  open('/scheduled/s1', schedules, {
    'schedules.update': () => {
      schedules[0] = aSchedule({ prompt: 'Read my letters', version: 4 })
      throw new ApiError({ status: 409, code: 'changed_elsewhere', userMessage: 'It was changed elsewhere.' })
    },
  })
  await screen.findByRole('heading', { name: 'Read my mail' })
  type('What should Juno do?', 'Read my post')
  await press('Save schedule')
  await screen.findByText(/It was changed elsewhere meanwhile, so nothing was saved/)
  await press('Use the newer version')
  expect(screen.getByLabelText<HTMLTextAreaElement>('What should Juno do?').value).toBe('Read my letters')
})

it('tools that write ask, unless they are let run; one that is not offered now stays until it is taken out', async () => {
  const { api } = open(
    '/scheduled/s1',
    [aSchedule({ writes: ['old_tool'] })],
    { 'schedules.update': () => ({ success: true, schedule: aSchedule() }) },
    { ...noTools, data: [gmail] },
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Tools of Gmail: All ask me' }))
  expect(screen.queryByRole('checkbox', { name: /Read e-mails/ })).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: /Send an e-mail/ }))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /old_tool/ }).checked).toBe(true)
  await press('Save schedule')
  await screen.findByRole('heading', { name: 'Scheduled' })
  expect(api.requestsTo('schedules.update')).toMatchObject([
    { body: { writes: ['old_tool', 'gmail_send_email'] } },
  ])
})

it.each([
  ['/scheduled/new', 'New schedule - Juno'],
  ['/scheduled/s1', 'Read my mail - Juno'],
  ['/scheduled/gone', 'Schedule - Juno'],
])('the tab of %s has a title', async (path, title) => {
  open(path, [aSchedule()])
  await waitFor(() => expect(document.title).toBe(title))
})

it('an unknown schedule, and one that was deleted, lead back', async () => {
  open('/scheduled/gone', [aSchedule()])
  await screen.findByText('This schedule does not exist any more.')
  expect(screen.getByRole('link', { name: 'Back to your schedules' })).toBeTruthy()
})

it('what an administrator has paused can be neither resumed nor run by its user', async () => {
  open('/scheduled', [paused('administrator')])
  const toggle = await screen.findByRole('switch')
  expect(toggle).toHaveProperty('disabled', true)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for Read my mail' }), { key: 'Enter' })
  await screen.findByRole('menuitem', { name: 'Edit' })
  expect(screen.queryByRole('menuitem', { name: 'Run now' })).toBeNull()
})

it('the list says that an administrator has stopped all schedules', async () => {
  siteState.setState({ notice: null, signUp: 'closed', replies: 'on', schedules: 'off' })
  open('/scheduled', [aSchedule()])
  await screen.findByText(/An administrator has stopped all schedules/)
  act(() => siteState.setState(undefined))
  expect(screen.queryByText(/An administrator has stopped all schedules/)).toBeNull()
})

it('the heading of the days of a week turns none of them on or off', async () => {
  open('/scheduled/new')
  const readDays = () => screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)
  await screen.findByRole('group', { name: 'Days' })
  const before = readDays()
  fireEvent.click(screen.getByText('Days'))
  expect(readDays()).toEqual(before)
})

it('a project whose list cannot be loaded is said to be neither loading nor gone', async () => {
  open('/scheduled/s1', [aSchedule({ project_id: 'p1' })], {
    'projects.list': () => {
      throw new ApiError({ status: 404, code: 'other', userMessage: 'No.' })
    },
  })
  const field = await screen.findByLabelText<HTMLSelectElement>('Project or assistant')
  await waitFor(() => expect(field.selectedOptions[0]?.text).toBe('The project could not be loaded.'))
})

it('Cancel discards what was entered, and leads back to the list', async () => {
  open('/scheduled/s1', [aSchedule()])
  await screen.findByDisplayValue('Read my mail')
  type(/What should/, 'Wipe my mail')
  await press('Cancel')
  fireEvent.click(await screen.findByRole('link', { name: 'Read my mail' }))
  expect(await screen.findByDisplayValue('Read my mail')).toBeDefined()
})

it('keeps what is typed while a schedule is saved', async () => {
  const saving = Promise.withResolvers<RouteResponse<'schedules.update'>>()
  const { api } = open('/scheduled/s1', [aSchedule()], { 'schedules.update': () => saving.promise })
  await screen.findByDisplayValue('Read my mail')
  type(/What should/, 'Read my mail and answer')
  await press('Save schedule')
  await waitFor(() => expect(api.requestsTo('schedules.update')).toHaveLength(1))
  type(/What should/, 'Read my mail, answer and file it')
  // it would be lost if saving fails
  await press('Cancel')
  const schedule = aSchedule({ prompt: 'Read my mail and answer', version: 4 })
  await act(async () => saving.resolve({ success: true, schedule }))
  await waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  expect(screen.getByLabelText<HTMLTextAreaElement>(/What should/).value).toBe(
    'Read my mail, answer and file it',
  )
})
