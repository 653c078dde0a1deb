import { afterEach, expect, it, vi } from 'vitest'
import type { NotificationSettings, Settings } from '#shared/contracts/account.ts'
import type { Run } from '../conversations/store/run.ts'
import { isQuiet } from '../settings/quiet-hours.ts'
import { maxMessageBytes } from './encrypt.ts'
import { notifyUser, toKind, type NotifyDeps, type ReplyEvent } from './notify-user.ts'
import { chooseLanguage } from './notification-texts.ts'

afterEach(() => vi.useRealTimers())

const startMs = Date.parse('2026-11-27T12:00:00Z')
const doneRun: object = { status: 'done', pending: [] }
const openCall = { kind: 'approval', decision: undefined }

/** @param heard when a page is heard of, in ms after the reply's end */
function setUp({
  run = doneRun,
  later = undefined as object | undefined,
  settings = {} as NotificationSettings,
  heard = [] as number[],
  scheduled = undefined as ReplyEvent['scheduled'],
  outcomes = ['sent', 'sent'],
} = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  const pushes: { text: string; isUrgent: boolean }[] = []
  const mails: { to: string; subject: string; text: string }[] = []
  const removed: string[] = []
  const runs = [run, later ?? run]
  const deps: NotifyDeps = {
    runs: { find: () => Promise.resolve((runs.shift() ?? run) as Run) },
    conversations: { find: () => Promise.resolve({ title: 'Rent for\nMay' } as never) },
    settings: { find: () => Promise.resolve({ notifications: settings } as Settings) },
    openPages: {
      find: () => {
        const at = heard.filter((ms) => startMs + ms <= Date.now()).at(-1)
        return Promise.resolve(
          at === undefined ? undefined : { heard_at_ms: startMs + at, language: 'de-AT' },
        )
      },
    },
    subscriptions: {
      list: () =>
        Promise.resolve(
          outcomes.map((_, id) => ({
            endpoint: `https://push.example/${id}`,
            keys: { p256dh: '', auth: '' },
            created_at: '',
          })),
        ),
      remove: (_, endpoint) => {
        removed.push(endpoint)
        return Promise.resolve()
      },
    },
    openSender: () =>
      Promise.resolve(({ endpoint }, message) => {
        pushes.push(message)
        return Promise.resolve({ outcome: outcomes[Number(endpoint.at(-1))] as 'sent' })
      }),
    sendMail: (mail) => {
      mails.push(mail)
      return Promise.resolve()
    },
    findEmail: () => Promise.resolve('ann@example.com'),
    brandName: 'Juno',
    loadOrigin: () => Promise.resolve('https://juno.example'),
    sleep: (ms) => {
      vi.setSystemTime(Date.now() + ms)
      return Promise.resolve()
    },
    log: { info: () => undefined, warn: () => undefined },
  }
  const notify = () => notifyUser(deps, { sub: 'ann', sessionId: 's 1', atMs: startMs, scheduled })
  return { deps, notify, pushes, mails, removed, elapsedMs: () => Date.now() - startMs }
}

it('names the conversation and nothing of its content, in the language of the last page', async () => {
  const { notify, pushes, mails } = setUp({ heard: [-60_000], settings: { mail: true } })
  await notify()
  expect(pushes).toHaveLength(2)
  expect(JSON.parse(pushes[0]?.text ?? '')).toEqual({
    title: 'Rent for May',
    body: 'Die Antwort ist fertig',
    path: '/?c=s%201',
    tag: expect.stringMatching(/^[\w-]{32}$/) as string,
    language: 'de',
  })
  expect(mails).toEqual([
    expect.objectContaining({ to: 'ann@example.com', subject: 'Antwort fertig: Rent for May' }),
  ])
  expect(mails[0]?.text).toContain('https://juno.example/?c=s%201')
})

it.each([
  ['none was heard of', [], 2, 0],
  ['one was heard of long ago', [-35_000], 2, 0],
  ['one was closed just before the end', [-5_000], 2, 30_000],
  ['one is open', [-5_000, 15_000], 0, 15_000],
  ['one is opened while it waits', [-30_000, 2_000], 0, 5_000],
])('waits until it is known whether a page is open: %s', async (_, heard, sent, elapsed) => {
  const { notify, pushes, elapsedMs } = setUp({ heard })
  await notify()
  expect(pushes).toHaveLength(sent)
  expect(elapsedMs()).toBe(elapsed)
})

it.each<[string, Parameters<typeof setUp>[0], number, number]>([
  ['nothing is chosen', {}, 2, 0],
  ['replies are off', { settings: { ended: false } }, 0, 0],
  ['waiting is off', { run: { status: 'waiting', pending: [openCall] }, settings: { waiting: false } }, 0, 0],
  [
    'only replies are off',
    { run: { status: 'waiting', pending: [openCall] }, settings: { ended: false } },
    2,
    0,
  ],
  ['mails are on', { settings: { mail: true } }, 2, 1],
  ['no mail of its own', { scheduled: { notify: ['push'] }, settings: { mail: true } }, 2, 0],
  ['mails of its own', { scheduled: { notify: ['mail'] } }, 0, 1],
  ['results of schedules are off', { scheduled: { notify: ['mail'] }, settings: { scheduled: false } }, 0, 0],
  ['it was stopped', { run: { status: 'stopped', pending: [] } }, 0, 0],
  ['the next message is being answered', { later: { status: 'running', pending: [] } }, 0, 0],
  [
    'it is a quiet hour',
    { settings: { quiet_hours: { from: '13:00', to: '14:00', time_zone: 'Europe/Berlin' } } },
    0,
    0,
  ],
])('tells what the user wants: %s', async (_, input, pushed, mailed) => {
  const { notify, pushes, mails } = setUp(input)
  await notify()
  expect([pushes.length, mails.length]).toEqual([pushed, mailed])
})

it('forgets a browser that is gone, and a failure of one way leaves the other', async () => {
  const { deps, notify, removed, mails } = setUp({ outcomes: ['gone', 'failed'], settings: { mail: true } })
  await notify()
  expect(removed).toEqual(['https://push.example/0'])
  expect(mails).toHaveLength(1)
  deps.openSender = () => Promise.reject(new Error('sealed'))
  await expect(notify()).resolves.toBeUndefined()
  expect(mails).toHaveLength(2)
})

it.each([
  ['waiting', [openCall], 'waiting'],
  ['waiting', [{ ...openCall, kind: 'task' }], undefined],
  ['waiting', [{ ...openCall, kind: 'elicitation' }], 'waiting'],
  ['waiting', [{ ...openCall, decision: 'approved' }], undefined],
  ['done', [], 'ended'],
  ['incomplete', [], 'incomplete'],
  ['stopped', [], undefined],
  ['failed', [], 'failed'],
  ['running', [], undefined],
])('of a run that is %s with %j it tells %s', (status, pending, kind) => {
  expect(toKind({ status, pending } as never)).toBe(kind)
})

it.each([
  ['22:00', '07:00', 'UTC', '2026-11-27T22:00:00Z', true],
  ['22:00', '07:00', 'UTC', '2026-11-27T06:59:59Z', true],
  ['22:00', '07:00', 'UTC', '2026-11-27T07:00:00Z', false],
  ['22:00', '07:00', 'Asia/Tokyo', '2026-11-27T13:00:00Z', true],
  // the clock goes back there at 01:00 UTC
  ['02:00', '03:00', 'Europe/Berlin', '2026-10-25T00:30:00Z', true],
  ['02:00', '03:00', 'Europe/Berlin', '2026-10-25T01:30:00Z', true],
  ['02:00', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00Z', false],
  ['08:00', '08:00', 'UTC', '2026-11-27T08:00:00Z', false],
])('from %s to %s in %s it is at %s: quiet %s', (from, to, time_zone, at, quiet) => {
  expect(isQuiet({ from, to, time_zone }, Date.parse(at))).toBe(quiet)
})

it.each([
  [['pt-BR'], 'pt-BR'],
  [['pt'], 'pt-BR'],
  [['de-AT'], 'de'],
  [['', 'fr'], 'fr'],
  [[undefined, 'xx'], 'en'],
])('of %j it takes %s', (tags, language) => {
  expect(chooseLanguage(...tags)).toBe(language)
})

it('a title of many bytes fits into what push services take (web-push-php#369)', async () => {
  for (const title of ['👩‍👩‍👧‍👦'.repeat(500), `e${'\u0301'.repeat(5_000)}`]) {
    const { deps, notify, pushes } = setUp()
    deps.conversations.find = () => Promise.resolve({ title } as never)
    await notify()
    expect(pushes).toHaveLength(2)
    expect(Buffer.byteLength(pushes[0]?.text ?? '')).toBeLessThanOrEqual(maxMessageBytes)
  }
})
