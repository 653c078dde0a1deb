import type { NotificationSettings, Settings } from '#shared/contracts/account.ts'
import { pageOpenMs } from '#shared/limits.ts'
import type { ConversationRepository } from '../conversations/store/conversation-repository.ts'
import type { Run } from '../conversations/store/run.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { isQuiet } from '../settings/quiet-hours.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import type { OpenPage, OpenPageRepository } from './open-page.ts'
import { buildNotificationMail } from './notification-mail.ts'
import { chooseLanguage, notificationTexts, type NotificationKind } from './notification-texts.ts'
import type { Mail } from '../platform/send-mail.ts'
import type { PushMessage, PushOutcome } from './send-push.ts'
import { toTopic, type PushSubscription, type SubscriptionRepository } from './subscription-repository.ts'

/** A reply that has ended, or waits. */
export interface ReplyEvent {
  sub: string
  sessionId: string
  /** ms */
  atMs: number
  /** the channels of its schedule, for a scheduled run */
  scheduled?: { notify: readonly ('mail' | 'push')[] } | undefined
}

export interface NotifyDeps {
  runs: { find: (sub: string, sessionId: string) => Promise<Run | undefined> }
  conversations: Pick<ConversationRepository, 'find'>
  settings: { find: (sub: string) => Promise<Settings> }
  openPages: Pick<OpenPageRepository, 'find'>
  subscriptions: Pick<SubscriptionRepository, 'list' | 'remove'>
  /** undefined: nobody can have subscribed */
  openSender: () => Promise<
    | ((
        subscription: PushSubscription,
        message: PushMessage,
      ) => Promise<{ outcome: PushOutcome; status?: number; error?: unknown }>)
    | undefined
  >
  /** undefined where no sender is configured */
  sendMail: ((mail: Mail) => Promise<void>) | undefined
  findEmail: (sub: string) => Promise<string>
  brandName: string
  loadOrigin: () => Promise<string>
  sleep: (ms: number) => Promise<unknown>
  log: Pick<Logger, 'info' | 'warn'>
}

/** How often the row of open pages is read while a page may be open. */
const pollMs = 5_000
export const maxTitleCharacters = 100

/** The address of a conversation on the page. */
export const toConversationPath = (sessionId: string) => `/?c=${encodeURIComponent(sessionId)}`

/** Maps a run to the kind of its notification. @returns undefined for runs that the user has stopped, and that wait only for servers */
export function toKind({ status, pending }: Pick<Run, 'status' | 'pending'>): NotificationKind | undefined {
  if (status === 'done') return 'ended'
  if (status === 'failed' || status === 'incomplete') return status
  const isForUser = pending.some(({ kind, decision }) => kind !== 'task' && decision === undefined)
  return status === 'waiting' && isForUser ? 'waiting' : undefined
}

/** Whether the user's settings allow a notification of this kind. */
export function isWanted(
  kind: NotificationKind,
  { waiting = true, ended = true, scheduled = true }: NotificationSettings,
  isScheduled: boolean,
): boolean {
  if (kind === 'waiting') return waiting
  return isScheduled ? scheduled : ended
}

/**
 * Waits until it is known whether a page of the user is open. An open page reports itself at least each `pageOpenMs` (`heard_at_ms`).
 * @returns whether one has done so after the reply had ended
 */
async function isPageOpen({ openPages, sleep }: NotifyDeps, { sub, atMs }: ReplyEvent): Promise<boolean> {
  for (;;) {
    const heardAtMs: OpenPage['heard_at_ms'] = (await openPages.find(sub))?.heard_at_ms ?? 0
    if (heardAtMs > atMs) return true
    const leftMs = heardAtMs + pageOpenMs - Date.now()
    if (leftMs <= 0) return false
    await sleep(Math.min(leftMs, pollMs))
  }
}

/**
 * Notifies a user that a reply has ended or waits for them, if their settings allow it and no page of theirs is open. The text names the
 * conversation and contains nothing of it.
 * @throws before anything was sent; then the call may be repeated
 */
export async function notifyUser(deps: NotifyDeps, event: ReplyEvent): Promise<void> {
  const { sub, sessionId, scheduled } = event
  const { notifications = {}, language: chosenLanguage } = await deps.settings.find(sub)
  const findKind = async () => {
    const run = await deps.runs.find(sub, sessionId)
    const kind = run && toKind(run)
    return kind && isWanted(kind, notifications, scheduled !== undefined) ? kind : undefined
  }
  const isQuietNow = () =>
    Boolean(notifications.quiet_hours && isQuiet(notifications.quiet_hours, Date.now()))
  if (isQuietNow() || !(await findKind()) || (await isPageOpen(deps, event))) return
  // the user may have decided in the meantime
  const kind = await findKind()
  const [session, page] = await Promise.all([
    deps.conversations.find(sub, sessionId),
    deps.openPages.find(sub),
  ])
  if (!kind || !session || session === 'deleted') return
  const title = sanitizeLine(session.title, maxTitleCharacters)
  const language = chooseLanguage(chosenLanguage, page?.language)
  const path = toConversationPath(sessionId)
  const notice = { sub, kind, title, language, path, topic: toTopic(sessionId) }
  const own = notifications.mail === true ? (['push', 'mail'] as const) : (['push'] as const)
  await sendNotice(deps, notice, scheduled?.notify ?? own)
}

/** Sends a notice by each of the channels. Never throws. */
export async function sendNotice(
  deps: NotifyDeps,
  notice: Notice,
  channels: readonly ('mail' | 'push')[],
): Promise<void> {
  const sendings = [
    ...(channels.includes('push') ? [push(deps, notice)] : []),
    ...(channels.includes('mail') ? [mail(deps, notice)] : []),
  ]
  // either may fail without the other; none is repeated, so that nobody is notified twice
  for (const result of await Promise.allSettled(sendings))
    if (result.status === 'rejected')
      deps.log.warn('a notification could not be sent', { error: result.reason })
}

/** A notification, for every channel. */
export interface Notice {
  sub: string
  kind: NotificationKind
  title: string
  language: ReturnType<typeof chooseLanguage>
  path: string
  topic: string
}

async function push(deps: NotifyDeps, { sub, kind, title, language, path, topic }: Notice): Promise<void> {
  const subscriptions = await deps.subscriptions.list(sub)
  const send = subscriptions.length > 0 ? await deps.openSender() : undefined
  if (!send) return
  const { body } = notificationTexts[language][kind]
  const text = JSON.stringify({ title, body, tag: topic, path, language })
  await Promise.all(
    subscriptions.map(async (subscription) => {
      const sent = await send(subscription, { text, topic, isUrgent: kind === 'waiting' })
      if (sent.outcome === 'gone')
        await deps.subscriptions.remove(sub, subscription.endpoint, subscription.keys)
      const { outcome: code, ...answer } = sent
      deps.log[code === 'failed' ? 'warn' : 'info']('a push message', { code, ...answer })
    }),
  )
}

async function mail(deps: NotifyDeps, { sub, kind, title, language, path }: Notice): Promise<void> {
  if (!deps.sendMail) return
  const [to, origin] = await Promise.all([deps.findEmail(sub), deps.loadOrigin()])
  const { brandName } = deps
  if (to)
    await deps.sendMail({
      to,
      ...buildNotificationMail({ brandName, kind, title, language, link: origin + path }),
    })
}
