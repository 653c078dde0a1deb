import { expect, it } from 'vitest'
import type { NotificationSettings, Settings } from '#shared/contracts/account.ts'
import type { ScheduleRow } from '../schedules/schedule-row.ts'
import { notifyRefusal } from './notify-refusal.ts'
import type { NotifyDeps } from './notify-user.ts'

/** Tells about a schedule. @returns what was sent */
async function tell(
  row: Partial<ScheduleRow> | undefined,
  {
    settings = {} as NotificationSettings,
    session = undefined as { title: string } | 'deleted' | undefined,
  } = {},
) {
  const pushes: string[] = []
  const mails: { subject: string; text: string }[] = []
  const deps: Partial<NotifyDeps> = {
    conversations: { find: async () => session as never },
    settings: { find: async () => ({ notifications: settings, language: 'de' }) as Settings },
    // an open page does not say it
    openPages: { find: async () => ({ heard_at_ms: Date.now(), language: 'fr' }) as never },
    subscriptions: {
      list: async () => [
        { endpoint: 'https://push.example/0', keys: { p256dh: '', auth: '' }, created_at: '' },
      ],
      remove: async () => undefined,
    },
    openSender: async () => async (_, message) => {
      pushes.push(message.text)
      return { outcome: 'sent' }
    },
    sendMail: async (mail) => void mails.push(mail),
    findEmail: async () => 'ann@example.com',
    brandName: 'Juno',
    loadOrigin: async () => 'https://juno.example',
    log: { info: () => undefined, warn: () => undefined },
  }
  const stored = row && {
    prompt: 'Read my mail\nand answer',
    session_id: 's',
    notify: ['push', 'mail'],
    ...row,
  }
  await notifyRefusal(
    { ...(deps as NotifyDeps), schedules: { find: async () => stored as ScheduleRow | undefined } },
    { sub: 'ann', scheduleId: 'monday' },
  )
  return { pushes: pushes.map((text) => JSON.parse(text) as Record<string, string>), mails }
}

const skipped = { last_run: { at: 1, status: 'failed', because: 'site_budget_used_up' } } as const

it('names the conversation in the language of the person, and leads to the schedules', async () => {
  const { pushes, mails } = await tell(skipped, { session: { title: 'Post am Montag' } })
  expect(pushes).toMatchObject([
    { title: 'Post am Montag', body: 'Ein geplanter Lauf konnte nicht beginnen', path: '/scheduled' },
  ])
  expect(mails).toMatchObject([{ subject: 'Geplanter Lauf nicht begonnen: Post am Montag' }])
  expect(mails[0]?.text).toContain('https://juno.example/scheduled')
})

it('names the schedule before its first conversation, and says that it is paused', async () => {
  const { pushes } = await tell({ ...skipped, paused_because: 'not_allowed', notify: ['push'] })
  expect(pushes).toMatchObject([{ title: 'Read my mail', body: 'Zeitplan angehalten' }])
})

it('says of a run whose writer died that its reply could not be finished, and leads to it', async () => {
  const interrupted = { at: 1, status: 'failed', because: 'interrupted', message_id: 'm' } as const
  const { pushes, mails } = await tell(
    { last_run: interrupted, begun: { at: 1, since: 1, session_id: 'of-run' } },
    { session: { title: 'Post am Montag' } },
  )
  expect(pushes).toMatchObject([
    { title: 'Post am Montag', body: 'Die Antwort konnte nicht abgeschlossen werden', path: '/?c=of-run' },
  ])
  expect(mails[0]?.text).toContain('https://juno.example/?c=of-run')
  const deleted = await tell({ last_run: interrupted }, { session: 'deleted' })
  expect(deleted.pushes).toMatchObject([{ title: 'Read my mail', path: '/scheduled' }])
})

it.each<[string, Parameters<typeof tell>]>([
  ['it is gone', [undefined]],
  ['its person has paused it', [{ paused_because: 'user' }]],
  ['an administrator has paused it', [{ paused_because: 'administrator' }]],
  ['its last run has a reply', [{ last_run: { at: 1, status: 'failed', because: 'x', message_id: 'm' } }]],
  ['the run before waits', [{ last_run: { at: 1, status: 'skipped', because: 'waiting' } }]],
  ['nothing of schedules is wanted', [skipped, { settings: { scheduled: false } }]],
])('tells nothing if %s', async (_, input) => {
  expect(await tell(...input)).toEqual({ pushes: [], mails: [] })
})
