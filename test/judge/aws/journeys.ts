import {
  type CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { confirmSignIn, fetchAuthSession } from 'aws-amplify/auth'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Schedule, ScheduleAddition, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { type Credentials, newPassword, signInBySrp } from '../../../infra/operate/sign-in.ts'
import { caller } from '../../support/caller.ts'
import { downloadExport } from '../../support/download-export.ts'
import { pngOf } from '../../support/png-of.ts'
import { buildExchange, decideConsent } from '../../support/provider-consent.ts'
import { appCode, redeem, secretIn } from '../../support/two-factor.ts'
import type { Report } from '../report.ts'

/** A deployment, as its users and the page meet it. */
export interface Site {
  readonly origin: string
  readonly userPoolId: string
  readonly userPoolClientId: string
  readonly pools: CognitoIdentityProviderClient
}

export type Caller = ReturnType<typeof caller>

/** The code of ministack's mails. */
const ConfirmationCode = '123456'

export const signIn = async (site: Site, user: Credentials): Promise<Caller> =>
  caller(site.origin, await signInBySrp(site, user))

/** Signs in with the second step. */
async function signInWithCode(site: Site, user: Credentials, code: string): Promise<Caller> {
  const first = await signInBySrp(site, user).catch((error: Error) => error.message)
  if (!first.includes('CONFIRM_SIGN_IN_WITH_TOTP_CODE'))
    throw new Error(`a password alone is enough: ${first.slice(0, 40)}`)
  const { isSignedIn } = await confirmSignIn({ challengeResponse: code })
  const { tokens } = await fetchAuthSession()
  if (!isSignedIn || !tokens) throw new Error('the code does not sign in')
  return caller(site.origin, tokens.accessToken.toString())
}

/**
 * Judges what takes several requests, with the roles of the functions: each journey is a line of the report.
 * @param callDispatcher calls the dispatcher of scheduled runs, as its schedule does once a minute
 */
export async function judgeJourneys(
  report: Report,
  site: Site,
  admin: Caller,
  callDispatcher: () => Promise<void>,
): Promise<void> {
  const journey = async (name: string, walk: () => Promise<void>) => {
    try {
      await walk()
      report.pass(name)
    } catch (error) {
      report.fail(name, error instanceof Error ? error.message : String(error))
    }
  }
  const cleo = { email: 'judge-cleo@example.com', password: newPassword() }
  await journey('an invited person signs up, and is in the group of the invitation', () =>
    signUpByInvitation(site, admin, cleo),
  )
  await journey('two-factor: set up, a sign-in with its code, one with a backup code', () =>
    signInWithFactor(site, cleo),
  )
  const user = { email: 'judge-dora@example.com', password: newPassword() }
  await journey('a person signs up again after the invitation was sent again', () =>
    signUpByInvitation(site, admin, user),
  )
  await journey(
    'Gmail by OAuth: connect, read with an expired token, approve an e-mail, refresh, disconnect',
    async () => connectAndSend(site, await signIn(site, user)),
  )
  await journey('a schedule: run by hand, and by the dispatcher at its time', async () =>
    runSchedules(await signIn(site, user), callDispatcher),
  )
  await journey('scheduled e-mails: one waits and is approved, one was approved in advance', async () =>
    scheduleMails(site, await signIn(site, user)),
  )
  await journey('an avatar and an export of everything, downloaded', async () =>
    exportEverything(await signIn(site, user)),
  )
  await journey(
    'an assistant with a picture: published, seen by another person, published again, withdrawn',
    async () => publishWithPicture(await signIn(site, user), admin),
  )
  await journey('the audit log names what the administrator did', async () => {
    const { entries } = await admin.call('admin.audit', {})
    const actions = new Set(entries.map(({ action }) => action))
    for (const action of ['invitation.created', 'invitation.resent', 'group.created'] as const)
      if (!actions.has(action)) throw new Error(`no ${action} in ${[...actions].join()}`)
  })
}

async function signUpByInvitation(
  site: Site,
  admin: Caller,
  { email, password }: Credentials,
): Promise<void> {
  const { pools, userPoolClientId: ClientId } = site
  const signUp = () =>
    pools.send(
      new SignUpCommand({
        ClientId,
        Username: email,
        Password: password,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'name', Value: 'Cleo' },
        ],
      }),
    )
  const refusal = await signUp().then(
    () => 'nothing',
    ({ message }: Error) => message,
  )
  if (!refusal.includes('by invitation')) throw new Error(`a sign-up without an invitation: ${refusal}`)
  const { groups } = await admin.call('admin.groups', {})
  if (!groups.some(({ name }) => name === 'judges'))
    await admin.call('admin.createGroup', { body: { name: 'judges', description: '', limits: {} } })
  const { invitation } = await admin.call('admin.invite', { body: { email, days: 7, groups: ['judges'] } })
  await admin.call('admin.resendInvitation', { params: { invitationId: invitation?.id ?? '' } })
  await signUp()
  await pools.send(new ConfirmSignUpCommand({ ClientId, Username: email, ConfirmationCode }))
  await (await signIn(site, { email, password })).call('account.read', {})
  const { users } = await admin.call('admin.users', { query: { query: email } })
  if (!users[0]?.groups.includes('judges')) throw new Error(`groups: ${JSON.stringify(users)}`)
}

async function signInWithFactor(site: Site, user: Credentials): Promise<void> {
  const before = await signIn(site, user)
  const { qrCodeUrl = '', backupCodes = [] } = await before.call('mfa.setup', {
    body: { action: 'generate' },
  })
  const secret = secretIn(qrCodeUrl)
  await before.call('mfa.setup', { body: { action: 'verify', token: appCode(secret) } })
  const after = await signInWithCode(site, user, appCode(secret))
  const status = await after.call('mfa.status', {})
  if (!status.enabled || status.backupCodesLeft !== 10) throw new Error(JSON.stringify(status))
  const redeemed = await redeem(site, { email: user.email, token: backupCodes[0], isBackupCode: true })
  const codes = redeemed.body['codes'] as string[] | undefined
  if (!codes?.[0]) throw new Error(`the backup code: ${JSON.stringify(redeemed.body)}`)
  const again = await signInWithCode(site, user, codes[0])
  await again.call('account.read', {})
}

/** Connects an integration by a sign-in at the provider's double. @param app the user's own app; without one the operator's is used */
export async function connect({ origin }: Site, user: Caller, mcpId: string, app: object): Promise<void> {
  const redirectUri = `${origin}/oauth/callback`
  const { authUrl = '' } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId, environment: 'production', redirectUri, ...app },
  })
  const back = await decideConsent(authUrl, 'allow')
  await user.call('oauth.handle', { body: buildExchange(back) })
}

const ask = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Sends a message whose reply calls a tool. @throws Error unless the call succeeded */
export async function askForTool(user: Caller, message: string): Promise<void> {
  const { toolCalls, content } = await user.call('chat.send', { body: ask(message) })
  if (toolCalls.length !== 1 || !toolCalls[0]?.result?.success)
    throw new Error(`${message}: ${content} ${JSON.stringify(toolCalls).slice(0, 300)}`)
}

async function connectAndSend(site: Site, user: Caller): Promise<void> {
  // its tokens are expired when they are used, so that every use refreshes them
  await connect(site, user, 'gmail', { clientId: 'judge+expires=1', clientSecret: 'secret' })
  const { integrations } = await user.call('integrations.list', {})
  if (!integrations.some(({ mcp_id }) => mcp_id === 'gmail')) throw new Error('Gmail is not connected')
  await askForTool(user, 'Show my recent emails')
  const request = ask('Send an email to cleo@example.org with the subject "Lunch" saying "Noon?"')
  await user.call('chat.send', { body: request })
  const params = { sessionId: request.sessionId }
  const { run } = await user.call('sessions.read', { params })
  const body = { runId: run?.run_id ?? '', callId: run?.questions?.[0]?.call_id ?? '', approved: true }
  const { toolCalls } = await user.call('runs.answer', { params, body })
  if (!toolCalls[0]?.result?.success) throw new Error(`the e-mail: ${JSON.stringify(toolCalls)}`)
  await user.call('integrations.refresh', { params: { mcpId: 'gmail' }, body: {} })
  const { revoked } = await user.call('integrations.disconnect', { params: { mcpId: 'gmail' }, body: {} })
  if (!revoked) throw new Error('the grant was not revoked')
}

/** Looks at a schedule in the list until its last run has this status. @param before what is done before each look */
async function waitForRun(
  user: Caller,
  id: string,
  status: ScheduledRunStatus,
  before: () => Promise<unknown> = async () => undefined,
): Promise<Schedule> {
  let seen: Schedule | undefined
  // a run takes seconds, and the minutes over which runs are spread pass before one that the dispatcher begins
  for (let tries = 0; tries < 400; tries += 1) {
    await before()
    const { schedules } = await user.call('schedules.list', {})
    seen = schedules.find((one) => one.id === id)
    if (seen?.last_run && !seen.running_since) break
    await sleep(1_000)
  }
  if (seen?.last_run?.status !== status) throw new Error(`not ${status}: ${JSON.stringify(seen)}`)
  return seen
}

const morning = { prompt: 'Say good morning', time_zone: 'Europe/Berlin', notify: ['mail', 'push'] } as const
type NewSchedule = Omit<ScheduleAddition, 'notify'> & { notify: readonly ('mail' | 'push')[] }

const createSchedule = async (user: Caller, body: NewSchedule): Promise<Schedule> =>
  (await user.call('schedules.create', { body: { ...body, notify: [...body.notify] } })).schedule

/** @throws Error unless the conversation of a schedule has its prompt and a reply */
async function requireReply(user: Caller, { session_id: sessionId, prompt }: Schedule): Promise<void> {
  const { messages } = await user.call('sessions.read', { params: { sessionId } })
  const [sent, reply] = messages
  if (sent?.content !== prompt || !reply?.content) throw new Error(JSON.stringify(messages).slice(0, 300))
}

async function runSchedules(user: Caller, callDispatcher: () => Promise<void>): Promise<void> {
  const daily = await createSchedule(user, { ...morning, rule: { kind: 'daily', time: '08:00' } })
  if (!daily.next_at) throw new Error(`no next time: ${JSON.stringify(daily)}`)
  await user.call('schedules.run', { params: { scheduleId: daily.id } })
  await requireReply(user, await waitForRun(user, daily.id, 'done'))
  const at = new Date(Date.now() + 5_000).toISOString()
  const once = await createSchedule(user, { ...morning, rule: { kind: 'once', at } })
  const ended = await waitForRun(user, once.id, 'done', callDispatcher)
  await requireReply(user, ended)
  // at the next whole minute
  const due = new Date(Math.ceil(Date.parse(at) / 60_000) * 60_000).toISOString()
  if (ended.next_at || ended.last_run?.at !== due) throw new Error(`its only time: ${JSON.stringify(ended)}`)
  // another call in the same minute begins nothing again
  await callDispatcher()
  const { messages } = await user.call('sessions.read', { params: { sessionId: once.session_id } })
  if (messages.length !== 2) throw new Error(`run again: ${JSON.stringify(messages).slice(0, 300)}`)
}

async function scheduleMails(site: Site, user: Caller): Promise<void> {
  await connect(site, user, 'gmail', { clientId: 'judge+expires=1', clientSecret: 'secret' })
  const mail = {
    ...morning,
    prompt: 'Send an email to cleo@example.org with the subject "Lunch" saying "Noon?"',
    rule: { kind: 'monthly', day: 'last', time: '08:00' },
  } as const
  const asking = await createSchedule(user, { ...mail, writes: 'ask' })
  await user.call('schedules.run', { params: { scheduleId: asking.id } })
  const { session_id: sessionId } = await waitForRun(user, asking.id, 'waiting')
  const params = { sessionId }
  const { run } = await user.call('sessions.read', { params })
  const body = { runId: run?.run_id ?? '', callId: run?.questions?.[0]?.call_id ?? '', approved: true }
  const { toolCalls } = await user.call('runs.answer', { params, body })
  const [sent] = toolCalls
  if (!sent?.result?.success) throw new Error(`the e-mail: ${JSON.stringify(toolCalls)}`)
  await waitForRun(user, asking.id, 'done')
  const approved = await createSchedule(user, { ...mail, writes: [sent.tool] })
  await user.call('schedules.run', { params: { scheduleId: approved.id } })
  await waitForRun(user, approved.id, 'done')
  await user.call('integrations.disconnect', { params: { mcpId: 'gmail' }, body: {} })
}

const pixel =
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q=='

async function exportEverything(user: Caller): Promise<void> {
  const { avatar_id } = await user.call('account.uploadAvatar', { body: { data: pixel } })
  await user.call('account.avatar', { params: { avatarId: avatar_id } })
  const { bytes } = await downloadExport(await user.call('account.export'))
  if (bytes.subarray(0, 2).toString() !== 'PK')
    throw new Error(`no archive: ${bytes.toString().slice(0, 200)}`)
}

/** The picture is stored, copied to the next version, shown by a link and deleted by the roles of the functions. */
async function publishWithPicture(publisher: Caller, member: Caller): Promise<void> {
  const picture = pngOf(64, 64)
  const { project } = await publisher.call('projects.create', { body: { name: 'Order desk' } })
  const publish = (more: { picture?: string | null }) =>
    publisher.call('assistants.publish', {
      params: { projectId: project.id },
      body: { audience: 'everyone', ...more },
    })
  const { assistant } = await publish({ picture: picture.toString('base64') })
  const findUrl = async () =>
    (await member.call('assistants.list', {})).assistants.find(({ id }) => id === assistant.id)?.picture?.url
  const requirePicture = async () => {
    const url = await findUrl()
    const response = await fetch(url ?? 'about:blank')
    if (!picture.equals(Buffer.from(await response.arrayBuffer())))
      throw new Error(`the picture answered ${response.status}`)
    return url ?? ''
  }
  await requirePicture()
  await publish({})
  const url = await requirePicture()
  await publisher.call('assistants.withdraw', { params: { assistantId: assistant.id } })
  const { status } = await fetch(url)
  if (status !== 404 && status !== 403) throw new Error(`after the withdrawal its picture answers ${status}`)
  if ((await findUrl()) !== undefined) throw new Error('a withdrawn assistant is listed')
}

/** Uploads a file as the page does. @returns its id */
export async function uploadText(user: Caller, text: string): Promise<string> {
  const { attachment, upload } = await user.call('files.presign', {
    body: { name: 'note.txt', type: 'text/plain', size: text.length },
  })
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
  form.append('file', new Blob([text]), 'note.txt')
  const { status } = await fetch(upload.url, { method: 'POST', body: form })
  if (status !== 204) throw new Error(`the upload answered ${status}`)
  await user.call('files.complete', { params: { attachmentId: attachment.id } })
  return attachment.id
}

export async function readFileText(user: Caller, attachmentId: string): Promise<string> {
  const { url } = await user.call('files.link', { params: { attachmentId } })
  return (await fetch(url)).text()
}
