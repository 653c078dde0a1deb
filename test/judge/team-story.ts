import { setTimeout as wait } from 'node:timers/promises'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import {
  click,
  composer,
  describe,
  keys,
  locating,
  pollMs,
  readPage,
  sees,
  send,
  stepMs,
  text,
  until,
  waitForReply,
} from './browser-steps.ts'
import type { Report } from './report.ts'
import type { DrivenBrowser, Started } from './web-drivers.ts'

/** Three people, each in a browser of their own. */
interface Team {
  readonly admin: DrivenBrowser
  readonly publisher: DrivenBrowser
  readonly member: DrivenBrowser
}

const roles = ['admin', 'publisher', 'member'] as const
const group = 'Sales EMEA'
const publisher = { name: 'Pia Berg', email: 'pia@example.org' }
const member = { name: 'Ben Okoro', email: 'ben@example.org' }
const password = 'a long enough secret'
const notice = 'On Saturday we are updating.'
const isStopped = 'An administrator has stopped all replies.'
/** functions read the settings of the site again after this time */
const settingsMs = 60_000

/**
 * Does what the guides of users and administrators say about a team: invitations with groups, an assistant that is published, used, changed and
 * withdrawn, a notice, and a stop of all replies. Each step needs the one before.
 * @param start of the administrator's, the publisher's and the member's browser
 */
export async function judgeTeam(
  report: Report,
  start: Readonly<Record<(typeof roles)[number], () => Promise<Started>>>,
): Promise<void> {
  const open: DrivenBrowser[] = []
  const stack = await startStack({
    env: { RATE_LIMIT_FACTOR: '100', DEMO_TOKENS_PER_SECOND: '400', FIRST_ADMINISTRATOR: 'on' },
  })
  try {
    for (const role of roles) {
      const browser = await start[role]()
      if ('missing' in browser) {
        report.skip('a team in three browsers', browser.missing)
        return
      }
      open.push(browser)
    }
    const [admin, writer, reader] = open
    if (!admin || !writer || !reader) throw new Error('a browser is missing')
    report.tell(`administrator ${admin.version}, publisher ${writer.version}, member ${reader.version}`)
    const team: Team = { admin, publisher: writer, member: reader }
    for (const [what, run] of Object.entries(steps)) {
      const problem = await Promise.race([
        run(team, stack).then(() => undefined, describe),
        wait(4 * stepMs, `no end after ${(4 * stepMs) / 1_000} s`, { ref: false }),
      ])
      if (problem === undefined) {
        report.pass(`a team: ${what}`)
        continue
      }
      const pages = await Promise.all(
        roles.map(async (role) => `the page of the ${role} says: ${await readPage(team[role])}`),
      )
      report.fail(`a team: ${what}`, [problem, ...pages].join('; '))
      break
    }
  } finally {
    for (const browser of open) await browser.close()
    await stack.stop()
  }
}

const field = 'input, textarea'

/** Types into a field, over the text that it has. */
async function fill(browser: DrivenBrowser, label: string, value: string): Promise<void> {
  await click(browser, label, field)
  await browser.chord(keys.control, 'a')
  await browser.press(value)
}

/** Creates an account with the link that was mailed to the address. */
async function acceptInvitation(
  browser: DrivenBrowser,
  stack: LocalStack,
  { name, email }: { name: string; email: string },
): Promise<void> {
  const [mail] = await stack.mail(email)
  const link = /http\S+/.exec(mail?.text ?? '')?.[0]
  if (link === undefined) throw new Error(`no mail with a link came to ${email}`)
  await browser.open(link)
  await sees(browser, 'Use the address that was invited.')
  await fill(browser, 'Full name', name)
  await fill(browser, 'Password', password)
  await click(browser, 'Create account', 'button[type=submit]')
  await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
}

/** Loads an address until the page shows the words: settings of the site are read again after a minute. */
async function reloadUntil(browser: DrivenBrowser, url: string, words: string): Promise<void> {
  const endAt = Date.now() + 2 * settingsMs
  for (;;) {
    await browser.open(url)
    const isShown = await sees(browser, words).then(
      () => true,
      () => false,
    )
    if (isShown) return
    if (Date.now() > endAt) throw new Error(`“${words}” is not shown`)
    await wait(pollMs)
  }
}

const steps: Readonly<Record<string, (team: Team, stack: LocalStack) => Promise<void>>> = {
  async 'the first account is administrator'({ admin }, stack) {
    const email = 'ann@example.org'
    await admin.open(`${stack.origin}/`)
    await click(admin, 'Create account')
    await fill(admin, 'Full name', 'Ann Example')
    await fill(admin, 'E-mail', email)
    await fill(admin, 'Password', password)
    await admin.press(keys.enter)
    await sees(admin, 'Code from the e-mail')
    const [mail] = await stack.mail(email)
    await fill(
      admin,
      'Code from the e-mail',
      `${/code=(\d{6})/.exec(mail?.text ?? '')?.[1] ?? ''}${keys.enter}`,
    )
    await until(admin, 'the composer', `document.querySelector('${composer}') !== null`)
    await admin.open(`${stack.origin}/admin`)
    await sees(admin, 'Administration')
  },

  async 'makes a group, and invites two people into it with a list'({ admin }, stack) {
    await admin.open(`${stack.origin}/admin/groups`)
    await click(admin, 'New group')
    await fill(admin, 'Name', group)
    await click(admin, 'Create group')
    await until(admin, 'the group', `${text(group)} && !document.querySelector('[role=dialog]')`)
    await admin.open(`${stack.origin}/admin/invitations`)
    await fill(
      admin,
      'Addresses',
      [`E-mail,Groups`, `${publisher.email},${group}`, `${member.email},${group}`].join(keys.enter),
    )
    await click(admin, 'Invite 2 people')
    await until(
      admin,
      'two invitations',
      `${locating('button', `Copy link for ${publisher.email}`)} !== null || ${text(publisher.email)}`,
    )
  },

  async 'both create their accounts with the mailed link'({ publisher: writer, member: reader }, stack) {
    await acceptInvitation(writer, stack, publisher)
    await acceptInvitation(reader, stack, member)
  },

  async 'a project is published for the group'({ publisher: writer }, stack) {
    await writer.open(`${stack.origin}/`)
    await click(writer, 'New project')
    await fill(writer, 'Name', `Order desk${keys.enter}`)
    await click(writer, 'Edit the instructions')
    await fill(writer, 'Instructions', 'Answer with the price list of this year.')
    await click(writer, 'Save')
    await click(writer, 'Publish')
    await sees(writer, 'What is it for?')
    await fill(writer, 'What is it for?', 'Prices and delivery weeks.')
    await click(writer, 'Add a starter')
    await writer.press('What does a hotel pay?')
    await click(writer, group)
    await click(writer, 'Publish version 1')
    await until(writer, 'the page of the assistant', `location.pathname.startsWith('/assistants/')`)
  },

  async 'the member finds the assistant on a new chat, and asks it with its starter'(
    { member: reader },
    stack,
  ) {
    await reader.open(`${stack.origin}/`)
    await sees(reader, `${publisher.name} · version 1`)
    await click(reader, '', 'main a[href^="/assistants/"]')
    await sees(reader, 'your messages stay yours')
    await click(reader, 'What does a hotel pay?')
    await until(reader, 'the conversation', `location.search.startsWith('?c=')`)
    await sees(reader, 'demo model')
    await waitForReply(reader)
    if ((await reader.evaluate(text('price list of this year'))) === true)
      throw new Error('the page shows the instructions')
  },

  async 'a new version is said once in the conversation'({ publisher: writer, member: reader }) {
    await click(writer, 'Publish a new version')
    await fill(writer, 'What is new in version 2?', 'Prices of 2027')
    await click(writer, 'Publish version 2')
    await until(writer, 'the page of the assistant', `location.pathname.startsWith('/assistants/')`)
    await send(reader, 'And a shop?')
    await sees(reader, 'Prices of 2027')
    await waitForReply(reader)
  },

  async 'the publisher sees how many conversations began with it'({ publisher: writer }) {
    await click(writer, 'Publish a new version')
    await sees(writer, 'used 1 time')
  },

  async 'the administrator withdraws it, and the conversation goes on and says so'(
    { admin, member: reader },
    stack,
  ) {
    await admin.open(`${stack.origin}/admin/assistants`)
    await sees(admin, 'Order desk')
    await click(admin, 'Withdraw Order desk')
    await click(admin, 'Withdraw', '[role=dialog] button')
    await sees(admin, 'None yet.')
    await send(reader, 'Still there?')
    await sees(reader, 'is not available to you any more')
    await waitForReply(reader)
  },

  async 'a notice and a stop of all replies reach the member, who goes on after it'(
    { admin, member: reader },
    stack,
  ) {
    await admin.open(`${stack.origin}/admin/site`)
    await fill(admin, 'Text', notice)
    await click(admin, 'Save Changes')
    await until(admin, 'the end of saving', `!${text('Save Changes')}`)
    await click(admin, 'Stop all replies')
    await click(admin, 'Stop all replies', '[role=dialog] button')
    await sees(admin, 'Replies are stopped')
    await reloadUntil(reader, `${stack.origin}/`, notice)
    await sees(reader, isStopped)
    await click(admin, 'Start again')
    await until(admin, 'the start', `${locating('button', 'Stop all replies')} !== null`)
    const endAt = Date.now() + 2 * settingsMs
    do await reader.open(`${stack.origin}/`)
    while ((await sees(reader, isStopped).catch(() => false)) !== false && Date.now() < endAt)
    await send(reader, 'Hello again')
    await sees(reader, 'demo model')
    await waitForReply(reader)
  },
}
